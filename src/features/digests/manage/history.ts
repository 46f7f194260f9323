import { DAY_MS } from '../../../core/base/time/durations.ts';
import {
  findDeliveries,
  outlineDeliveries,
  readHistories,
  type HistoryEntry,
} from '../../../core/outbox/past-deliveries.ts';
import type { BlockMessage } from '../../../core/slack/blocks/blocks.ts';
import { plainMessage } from '../../../core/slack/blocks/messages.ts';
import { buttonRow, messageOf, prose, rule, smallPrint } from '../../../core/slack/blocks/paragraphs.ts';
import type { Person } from '../../../core/slack/people/people.ts';
import { dayOf, formatPeriod, type Period } from '../../../core/base/time/calendar.ts';
import { clip, markup, readerTime, type Markup } from '../../../core/base/text/markup.ts';
import { countOf } from '../../../core/base/text/numbers.ts';
import { sendAgainButton } from '../core/digest-buttons.ts';
import { listDigests, mayChange } from '../core/digest-list.ts';
import type { DigestDeps } from '../core/digests-deps.ts';
import { digestMessage, type StoredDigest } from '../core/digest-messages.ts';
import { readMemo } from '../core/digest-payload.ts';
import { withheldWords } from '../core/sections.ts';
import { isUnpublished, isWaitForDays, latestSending, waitsSince } from '../core/wait.ts';
import { figuresOfPeriod, latenessWords, titleOf } from '../core/period-words.ts';
import { placeMarkup } from '../core/describe.ts';

const HISTORY_MS = 14 * DAY_MS;
/** Each takes up to three blocks of a message. */
const MAX_SENDS = 15;

interface Send {
  digest: StoredDigest;
  history: readonly HistoryEntry[];
  mayBeSentAgain: boolean;
}

/** Explains for each digest of the last 14 days, or of these days, why it was sent, late or skipped; newest first. */
export async function whyMessage(
  deps: Pick<DigestDeps, 'db' | 'clock'>,
  person: Person,
  days?: Period,
): Promise<BlockMessage> {
  const since = days ? new Date(`${days.first}T00:00:00Z`) : new Date(deps.clock.now().getTime() - HISTORY_MS);
  const rows = await listDigests(deps, person);
  const subscriptions = new Map(rows.map(({ subscription }) => [subscription.id, subscription]));
  const planned = (await outlineDeliveries(deps.db, digestMessage.name, since)).filter(
    ({ about, dueAt }) => subscriptions.has(about ?? '') && isIn(days, dueAt),
  );
  const keys = planned.slice(0, MAX_SENDS).map(({ key }) => key);
  const [deliveries, histories] = await Promise.all([findDeliveries(deps.db, keys), readHistories(deps.db, keys)]);
  const sends = deliveries
    .toSorted((one, other) => keys.indexOf(one.key) - keys.indexOf(other.key))
    .map((delivery): Send => {
      const digest = digestMessage.parse(delivery);
      const subscription = subscriptions.get(digest.payload.subscriptionId);
      const mayBeSentAgain = digest.state === 'failed' && subscription !== undefined && mayChange(person, subscription);
      return { digest, history: histories.get(digest.key) ?? [], mayBeSentAgain };
    });
  const when = days ? `on ${formatPeriod(days)} (UTC)` : 'in the last 14 days';
  return sendsMessage(sends, planned.length - sends.length, when);
}

function isIn(days: Period | undefined, instant: string): boolean {
  if (days === undefined) return true;
  const day = dayOf(new Date(instant));
  return days.first <= day && day <= days.last;
}

function sendsMessage(sends: readonly Send[], hiddenCount: number, when: string): BlockMessage {
  if (sends.length === 0)
    return plainMessage(markup`No digest was due ${when}. \`/digest\` shows when the next one comes.`);
  return messageOf(
    prose(markup`*Digests due ${when}, newest first*`),
    ...sends.flatMap((send, index) => [
      ...(index > 0 && !(wentAsPlanned(send) && wentAsPlanned(sends[index - 1])) ? [rule()] : []),
      prose(sendLines(send)),
      buttonRow(...(send.mayBeSentAgain ? [sendAgainButton(send.digest.key)] : [])),
    ]),
    smallPrint(...(hiddenCount > 0 ? [markup`${countOf(hiddenCount, 'older digest')} not shown.`] : [])),
  );
}

const wentAsPlanned = (send: Send | undefined): boolean => send !== undefined && sentAsPlannedAt(send) !== undefined;

/** Returns when a digest was sent; undefined if it did not go as planned, and so needs an explanation. */
function sentAsPlannedAt({ digest, history }: Send): string | undefined {
  const { plannedFor = digest.dueAt, period } = digest.payload;
  const others = history.filter((entry) => entry.step !== 'planned' && stepMarkup(entry, plannedFor, period));
  const [only, ...more] = others;
  const isSent = only?.step === 'sent' && more.length === 0 && isOnTime(only.at, plannedFor);
  const { corrections = [], withheld = [] } = readMemo(digest.memo) ?? {};
  const isAsPlanned = corrections.length === 0 && withheld.length === 0;
  return isSent && digest.state === 'sent' && isAsPlanned ? only.at : undefined;
}

function sendLines(send: Send): Markup[] {
  const { digest, history } = send;
  const { cadence, period, plannedFor = digest.dueAt } = digest.payload;
  const title = markup`*${titleOf(cadence, period, new Date(plannedFor))}* to ${placeMarkup(digest.channel)}`;
  const sentAt = sentAsPlannedAt(send);
  const sentWhy = digest.payload.isRestated ? 'because the figures of a quiet morning were corrected' : 'on time';
  if (sentAt !== undefined) return [title, markup`✅ Sent ${readerTime(new Date(sentAt))}, ${sentWhy}`];
  const steps = history.flatMap((entry) => stepMarkup(entry, plannedFor, period) ?? []);
  // A digest that was skipped at once was never put into the outbox.
  const planned = history.some(({ step }) => step === 'planned')
    ? []
    : [markup`•  Planned for ${readerTime(new Date(plannedFor))}`];
  const memo = readMemo(digest.memo);
  const corrections = (memo?.corrections ?? []).map(
    ({ at, isCompletion }) => markup`•  ${readerTime(new Date(at))}: ${isCompletion ? '✅ completed' : '✏️ corrected'}`,
  );
  const withheld = memo?.withheld
    ? [markup`•  Left out. ${clip(withheldWords(memo.withheld), MAX_WITHHELD_LENGTH)}`]
    : [];
  const happened = [...steps, ...corrections].slice(-MAX_STEPS);
  return [title, ...planned, ...happened, ...withheld, ...waitMarkup(digest, period)];
}

function waitMarkup(digest: StoredDigest, period: Period): Markup[] {
  if (digest.state !== 'waiting' || !isWaitForDays(digest.reason)) return [];
  const again = readerTime(new Date(digest.nextAttemptAt));
  const latest = latestSending(waitsSince(new Date(digest.createdAt), new Date(digest.dueAt), period.last));
  return [markup`•  ⏳ Waiting for ${figuresOfPeriod(period)} (until ${readerTime(latest)}). Next check: ${again}.`];
}

const MAX_STEPS = 6;
const MAX_DETAIL_LENGTH = 300;
/** The end of a reason says what to do, so it must not be cut off. */
const MAX_WITHHELD_LENGTH = 700;

/** Describes a step of a delivery’s history; undefined for technical steps. */
function stepMarkup({ at, step, detail }: HistoryEntry, plannedFor: string, period: Period): Markup | undefined {
  const time = readerTime(new Date(at));
  const detailText = clip(detail ?? '', MAX_DETAIL_LENGTH);
  switch (step) {
    case 'planned':
      return detail?.startsWith('due')
        ? markup`•  Planned for ${readerTime(new Date(detail.slice(4)))}`
        : markup`•  ${time}: ${detailText}.`;
    case 'waiting':
      return isUnpublished(detail)
        ? markup`•  ${time}: waiting for ${figuresOfPeriod(period)}`
        : markup`•  ${time}: waiting. ${detailText}`;
    case 'unknown':
      return markup`•  ${time}: Slack’s answer got lost. Quartermaster checks the channel before it posts again.`;
    case 'unreadable':
    case 'refused':
      return markup`•  ${time}: waiting. ${detailText}`;
    case 'found':
    case 'sent':
      return markup`•  ${time}: ✅ sent${lateness(at, plannedFor)}`;
    case 'skipped':
      return markup`•  ${time}: skipped. ${clip(detail ?? '', MAX_WITHHELD_LENGTH)}`;
    case 'failed':
      return markup`•  ${time}: ❌ failed. ${detailText}`;
    default:
      return undefined;
  }
}

const ON_TIME_MS = 2 * 60_000;

const isOnTime = (at: string, plannedFor: string) =>
  new Date(at).getTime() - new Date(plannedFor).getTime() < ON_TIME_MS;

function lateness(at: string, plannedFor: string): string {
  return isOnTime(at, plannedFor) ? ', on time' : `, ${latenessWords(new Date(plannedFor), new Date(at))} late`;
}
