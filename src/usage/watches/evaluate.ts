import { FACTS_MAX_AGE_MS } from '../../analytics/facts.ts';
import { notBeforeFirstDay } from '../../analytics/existing-period.ts';
import { plusDays, type Day, type Period } from '../../base/time/calendar.ts';
import { enqueue } from '../../outbox/deliveries.ts';
import { findDelivery } from '../../outbox/past-deliveries.ts';
import type { ChannelSubscription } from '../../watches/channel-subscription-table.ts';
import { CHANNEL, findReaderOfPeople, sentenceFor } from '../../slack/people/audience.ts';
import type { DatabaseTransaction } from '../../store/tables.ts';
import type { UsageServices } from '../deps.ts';
import { readCounted, type Counted } from '../../figures/counted.ts';
import { admitSums } from '../../figures/groups/gate.ts';
import { explainDay } from '../../alerts/unusual-days/explain.ts';
import { EDIT_KIND, MESSAGE_KIND, NOTE_KIND, type WatchEntry } from './payload.ts';
import { isUnusual, planWatch, type AssessedDay, type WatchPlan } from '../../alerts/unusual-days/plan.ts';
import {
  aboutOf,
  correctWatchDay,
  HISTORY_DAYS,
  insertWatchDay,
  listWatchDays,
  nameOf,
  sinceDay,
  snoozedUntil,
} from '../../alerts/unusual-days/store.ts';

class LostRace extends Error {}

interface Planned {
  watch: ChannelSubscription;
  plan: WatchPlan;
  assessed: readonly AssessedDay[];
}

/**
 * Looks at the days of all watches, and tells what is to be told: one message for each channel and day.
 *
 * @returns whether everything could be read, and is up to date with `published`
 */
export async function evaluateWatches(
  deps: UsageServices,
  watches: readonly ChannelSubscription[],
  { today, published }: { today: Day; published: Day | undefined },
): Promise<boolean> {
  if (watches.length === 0) return true;
  const range = { first: notBeforeFirstDay(plusDays(today, -HISTORY_DAYS)), last: plusDays(today, -1) };
  const groups = new Map((await deps.people.teams()).map(({ id, emails }) => [id, emails]));
  const counted = watches.map(({ subject }): Counted | undefined => {
    if (subject === '') return { kind: 'organization' };
    const emails = groups.get(subject);
    return emails && { kind: 'people', emails };
  });
  const wanted = counted.flatMap((one) => one ?? []);
  const read = await readCounted(deps.days, wanted, range, { maxAgeMs: FACTS_MAX_AGE_MS });
  const assessed = await listWatchDays(deps.db, range.first);
  const now = deps.clock.now();
  let isWhole = true;
  const planned = watches.flatMap((watch, index): Planned[] => {
    const one = counted[index];
    const part = one && read(one);
    if (part?.kind === 'unreadable')
      deps.log.warn({ err: part.fault, channel: watch.channel }, 'A watch could not be read');
    if (part?.kind !== 'read' || (published !== undefined && (part.rows.at(-1)?.date ?? '') < published))
      isWhole = false;
    if (part?.kind !== 'read') return [];
    const theirs = assessed.get(nameOf(watch.channel, watch.subject)) ?? [];
    const isSnoozed = (snoozedUntil(watch)?.getTime() ?? 0) > now.getTime();
    const plan = planWatch({ rows: part.rows, assessed: theirs, since: sinceDay(watch), today, isSnoozed });
    return [{ watch, plan, assessed: theirs }];
  });
  const shown = await Promise.all(planned.map((one) => withinGroup(deps, one, groups.get(one.watch.subject))));
  for (const [channel, theirs] of Map.groupBy(shown, ({ watch }) => watch.channel)) {
    isWhole = (await postToChannel(deps, channel, theirs, today)) && isWhole;
  }
  return isWhole;
}

/**
 * Of a group, readers who may not see single people are told what tells nothing of them: the amounts of the days alone, or
 * nothing.
 */
async function withinGroup(deps: UsageServices, one: Planned, emails: readonly string[] | undefined): Promise<Planned> {
  const { watch, plan } = one;
  const [first, last] = [plan.days[0], plan.days.at(-1)];
  if (!emails || watch.subject === '' || plan.message === 'none' || !first || !last) return one;
  if (await findReaderOfPeople(deps.people, watch.channel)) return one;
  const sum = { emails, period: { first: first.day, last: last.day }, isByDay: true };
  const verdict = await admitSums(deps, [[sum]]);
  if (verdict.kind === 'unreadable') throw verdict.fault;
  if (verdict.kind !== 'shown') return { ...one, plan: { ...plan, message: 'none' } };
  if (deps.config.minGroup <= 1) return one;
  return { ...one, plan: { ...plan, days: plan.days.map((day) => ({ ...day, range: undefined })) } };
}

/** @returns `false` where something has to wait: for tomorrow, or for the next look */
async function postToChannel(
  deps: UsageServices,
  channel: string,
  all: readonly Planned[],
  today: Day,
): Promise<boolean> {
  const key = `usage-watch:${channel}:${today}`;
  const wasSent = (await findDelivery(deps.db, key)) !== undefined;
  // At most one message a day: what comes after it is told tomorrow.
  const theirs = all.filter(({ plan }) => !wasSent || plan.message === 'none');
  const due = theirs.filter(({ plan }) => plan.message !== 'none');
  const entries = await Promise.all(due.map((one) => entryOf(deps, one)));
  const now = deps.clock.now();
  try {
    await deps.db.transaction().execute(async (trx) => {
      for (const one of theirs) await commitWatch(trx, one, entries.length > 0 ? key : undefined, now);
      if (entries.length === 0) return;
      const delivery = { key, kind: MESSAGE_KIND, channel, payload: { entries }, dueAt: now };
      if (!(await enqueue(trx, delivery, now))) throw new LostRace();
    });
    return theirs.length === all.length;
  } catch (error) {
    if (!(error instanceof LostRace)) deps.log.error({ err: error, channel }, 'A watch could not be looked at');
    return false;
  }
}

async function commitWatch(
  trx: DatabaseTransaction,
  { watch: { channel, subject, filter }, plan, assessed }: Planned,
  key: string | undefined,
  now: Date,
): Promise<void> {
  for (const { day, judgement, amount } of plan.days) {
    const row = {
      channel,
      subject,
      day,
      judgement,
      amount,
      is_expected: 0,
      delivery_key: plan.message === 'none' ? null : (key ?? null),
      at: now.toISOString(),
    };
    if (!(await insertWatchDay(trx, row))) throw new LostRace();
  }
  for (const { day, amount } of plan.corrections) {
    const before = assessed.find((one) => one.day === day);
    if (!(await correctWatchDay(trx, { channel, subject, day, amount }))) throw new LostRace();
    const messageKey = before?.deliveryKey ?? '';
    const edit = { key: `${messageKey}:correction:${subject}:${day}`, kind: EDIT_KIND, channel, dueAt: now };
    await enqueue(trx, { ...edit, payload: { messageKey } }, now);
    const payload = { messageKey, about: aboutOf({ filter }), day, amount, before: before?.amount ?? amount };
    await enqueue(trx, { key: `${edit.key}:note`, kind: NOTE_KIND, channel, payload, dueAt: now }, now);
  }
}

async function entryOf(deps: UsageServices, { watch, plan }: Planned): Promise<WatchEntry> {
  const kind = plan.message === 'none' ? 'back' : plan.message;
  const shown = kind === 'unusual' ? plan.days.filter(({ judgement }) => isUnusual(judgement)) : plan.days.slice(-1);
  const last = plan.days.at(-1);
  const ended = kind === 'unusual' && last && !isUnusual(last.judgement) ? [last] : [];
  const [day] = shown;
  return {
    subject: watch.subject,
    about: aboutOf(watch),
    kind,
    days: [...shown, ...ended],
    explained: kind === 'unusual' && day ? await explainDay(deps, watch, day.day) : [],
    happened:
      kind === 'unusual' && day ? await happenedOn(deps, { first: day.day, last: shown.at(-1)?.day ?? day.day }) : [],
  };
}

async function happenedOn({ timeline }: UsageServices, period: Period): Promise<string[]> {
  return (await timeline(period)).map((event) => sentenceFor(event, CHANNEL));
}
