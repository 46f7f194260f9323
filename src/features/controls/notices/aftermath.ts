import { notBeforeFirstDay, USUAL_DAYS } from '../../../core/analytics/period.ts';
import { DAY_MS, HOUR_MS } from '../../../core/base/time/durations.ts';
import { dayOf, daysOf, formatPeriod, plusDays, type Period } from '../../../core/base/time/calendar.ts';
import { sumOf } from '../../../core/base/statistics.ts';
import { markup, type Markup } from '../../../core/base/text/markup.ts';
import { countOf, formatCompact, formatShare } from '../../../core/base/text/numbers.ts';
import { amountsOf, placeIn, unusualDays } from '../../../core/figures/insight/unusual.ts';
import { amountsByName, modelCredits } from '../../../core/figures/measures/breakdown.ts';
import type { PersonModels } from '../../../core/figures/measures/main-models.ts';
import type { StoredMessage, WriteDecision } from '../../../core/outbox/message-duties.ts';
import { namesNobody } from '../../../core/outbox/poster.ts';
import { messageOf, prose, smallPrint } from '../../../core/slack/blocks/paragraphs.ts';
import { textsIn } from '../core/named-in-change.ts';
import type { RevisionChanges } from './revision-changes.ts';
import { daysBefore, readNamedModels, readStoredModels, type NamedModel, type UseDeps } from './named-use.ts';

const DAYS_AFTER = 7;
/** Days settle within days; later than this, the note would be about the past. */
const LATEST_MS = 21 * DAY_MS;
const ASK_AGAIN_MS = 6 * HOUR_MS;

/** The first time at which seven days after a revision can be settled. */
export const aftermathDueAt = (changedAt: string): Date => new Date(Date.parse(changedAt) + (DAYS_AFTER + 1) * DAY_MS);

const daysAfter = (changedAt: string): Period => {
  const day = dayOf(new Date(changedAt));
  return { first: plusDays(day, 1), last: plusDays(day, DAYS_AFTER) };
};

const skip = (reason: string): WriteDecision => ({ kind: 'skip', reason });

/** Seven settled days later: what people moved to from the models that the change names, and credits beside the usual. */
export async function writeAftermath(
  deps: UseDeps,
  { createdAt }: Pick<StoredMessage<unknown>, 'createdAt'>,
  { row, changes }: RevisionChanges,
): Promise<WriteDecision> {
  const period = daysAfter(row.changedAt);
  const now = deps.clock.now();
  const history = { first: notBeforeFirstDay(plusDays(period.first, -USUAL_DAYS - 1)), last: period.last };
  const after = await deps.days.credits(period);
  const credits = await deps.days.dailyCredits(history);
  const stored = await deps.days.stored('tokens', period);
  const isSettled = daysOf(period).every((day) => stored.get(day)?.state === 'settled');
  if (!isSettled || credits.kind === 'unreadable' || after.kind === 'unreadable') {
    if (now.getTime() > Date.parse(createdAt) + LATEST_MS) return skip('The days after the change did not settle.');
    const until = new Date(now.getTime() + ASK_AGAIN_MS);
    return { kind: 'wait', until, reason: 'The days after the change are not settled yet.' };
  }
  const texts = textsIn(changes.map(({ change }) => change));
  const models = await readNamedModels(deps, texts, daysBefore(row));
  if (models.length === 0) return skip('It names no model of the figures.');
  const sums = amountsByName(after.rows, modelCredits);
  const peopleAfter = await readStoredModels(deps, period);
  const days = amountsOf(credits);
  const lines = [
    markup`*Seven days after revision ${row.revision}* (${formatPeriod(period)}, UTC)`,
    ...models.slice(0, MAX_MODELS).map((model) => modelLine(model, sums, peopleAfter, deps.config.minGroup)),
    creditsLine(days, period),
  ];
  const note = markup`It says what was used, not what a rule stopped. Main models are those that the platform names.`;
  return { kind: 'send', message: namesNobody(messageOf(prose(lines), smallPrint(note))) };
}

const MAX_MODELS = 3;

function modelLine(
  { name, share, users }: NamedModel,
  sums: ReadonlyMap<string, number>,
  peopleAfter: readonly PersonModels[] | undefined,
  minGroup: number,
): Markup {
  const total = sumOf([...sums.values()], (amount) => amount);
  const shares = markup`\`${name}\`: ${share} of credits before, ${formatShare(sums.get(name) ?? 0, total)} after`;
  const moves = users && peopleAfter ? movedWords(users, peopleAfter, minGroup) : undefined;
  return moves === undefined ? markup`•  ${shares}.` : markup`•  ${shares}. ${moves}`;
}

/** What those people mainly used afterwards. Neither a number nor the rest to the total is that of a small group. */
export function movedWords(
  before: readonly PersonModels[],
  after: readonly PersonModels[],
  minGroup: number,
): string | undefined {
  if (before.length < Math.max(1, minGroup)) return undefined;
  const mains = new Map(after.flatMap(({ emails, main }) => emails.map((email) => [email, main] as const)));
  const targets = before.map(({ emails }) =>
    emails.map((email) => mains.get(email)).find((main) => main !== undefined),
  );
  const counts = [...Map.groupBy(targets, (target) => target ?? '')]
    .map(([target, people]) => ({ target, count: people.length }))
    .toSorted((one, other) => other.count - one.count || (one.target < other.target ? -1 : 1));
  const shown = counts.filter(({ count }) => count >= minGroup);
  let rest = before.length - sumOf(shown, ({ count }) => count);
  if (rest > 0 && rest < minGroup) rest += shown.pop()?.count ?? 0;
  if (shown.length === 0) return undefined;
  const words = shown.map(({ target, count }) =>
    target === '' ? `${count} had no use` : `${count} mainly used ${target}`,
  );
  const all = [...words, ...(rest > 0 ? [`${rest} others something else`] : [])];
  return `Of ${countOf(before.length, 'person', 'people')} whose main model it was, ${all.join(', ')}.`;
}

function creditsLine(days: ReturnType<typeof amountsOf>, period: Period): Markup {
  const { ranges } = unusualDays(days, days, period);
  const sum = formatCompact(sumOf(ranges, ({ amount }) => amount));
  const judged = ranges.flatMap(({ amount, range }) => (range ? [placeIn(range, amount)] : []));
  if (judged.length < ranges.length)
    return markup`•  Credits: *${sum}* in these days; what is usual isn’t known for all of them.`;
  const outside = (['above', 'below'] as const).flatMap((place) => {
    const count = judged.filter((one) => one === place).length;
    return count === 0 ? [] : [`${countOf(count, 'day')} ${place} the usual`];
  });
  return markup`•  Credits: *${sum}*, ${outside.length === 0 ? 'each day within its usual range' : outside.join(', ')}.`;
}
