import { DAY_MS } from '../../base/time/durations.ts';
import type { Delivery } from '../../outbox/delivery-table.ts';
import { findDeliveries, outlineDeliveries, readHistories, type HistoryEntry } from '../../outbox/past-deliveries.ts';
import type { BlockMessage } from '../../slack/blocks/blocks.ts';
import { plainMessage } from '../../slack/blocks/messages.ts';
import { buttonRow, messageOf, prose, rule, smallPrint } from '../../slack/blocks/paragraphs.ts';
import type { Person } from '../../slack/people/people.ts';
import type { Period } from '../../base/time/calendar.ts';
import { clip, markup, readerTime, type Markup } from '../../base/text/markup.ts';
import { countOf } from '../../base/text/numbers.ts';
import { sendAgainButton } from '../core/buttons.ts';
import { listDigests, mayChange } from '../core/list.ts';
import type { DigestDeps } from '../core/deps.ts';
import { readMemo, readPayload, subscriptionIdOf } from '../core/payload.ts';
import { isUnpublished, isWaitForDays, latestSending, waitsSince } from '../deliver/wait.ts';
import { figuresOfPeriod, latenessWords, titleOf } from '../core/period-words.ts';
import { placeMarkup } from '../core/describe.ts';

const LOOKED_BACK_MS = 14 * DAY_MS;
/** Each takes up to three blocks of a message. */
const MAX_SENDS = 15;

interface Send {
  delivery: Delivery;
  history: readonly HistoryEntry[];
  mayBeSentAgain: boolean;
}

/** Why each digest of the last 14 days came, came late or did not come; the newest first. */
export async function whyMessage(deps: Pick<DigestDeps, 'db' | 'clock'>, person: Person): Promise<BlockMessage> {
  const since = new Date(deps.clock.now().getTime() - LOOKED_BACK_MS);
  const rows = await listDigests(deps, person);
  const subscriptions = new Map(rows.map(({ subscription }) => [subscription.id, subscription]));
  const planned = (await outlineDeliveries(deps.db, 'digest', since)).filter(({ key }) =>
    subscriptions.has(subscriptionIdOf(key) ?? ''),
  );
  const keys = planned.slice(0, MAX_SENDS).map(({ key }) => key);
  const [found, histories] = await Promise.all([findDeliveries(deps.db, keys), readHistories(deps.db, keys)]);
  const sends = found
    .toSorted((one, other) => keys.indexOf(one.key) - keys.indexOf(other.key))
    .map((delivery): Send => {
      const subscription = subscriptions.get(subscriptionIdOf(delivery.key) ?? '');
      const mayBeSentAgain =
        delivery.state === 'failed' && subscription !== undefined && mayChange(person, subscription);
      return { delivery, history: histories.get(delivery.key) ?? [], mayBeSentAgain };
    });
  return sendsMessage(sends, planned.length - sends.length);
}

const NONE = markup`No digest was due in the last 14 days. \`/digest\` shows when the next one comes.`;

function sendsMessage(sends: readonly Send[], left: number): BlockMessage {
  if (sends.length === 0) return plainMessage(NONE);
  return messageOf(
    prose(markup`*Digests of the last 14 days, newest first*`),
    ...sends.flatMap((send, index) => [
      ...(index > 0 && !(isCalm(send) && isCalm(sends[index - 1])) ? [rule()] : []),
      prose(sendLines(send)),
      buttonRow(...(send.mayBeSentAgain ? [sendAgainButton(send.delivery.key)] : [])),
    ]),
    smallPrint(...(left > 0 ? [markup`${countOf(left, 'older digest')} not shown.`] : [])),
  );
}

/** It came when it was due, and stands as it was sent. */
function isCalm(send: Send | undefined): boolean {
  return send !== undefined && calmTime(send) !== undefined;
}

/** When one came that came as planned: there is nothing to tell of it. */
function calmTime({ delivery, history }: Send): string | undefined {
  const { plannedFor = delivery.due_at, period } = readPayload(delivery);
  const others = history.filter((entry) => entry.step !== 'planned' && stepMarkup(entry, plannedFor, period));
  const [only, ...more] = others;
  const isSent = only?.step === 'sent' && more.length === 0 && isOnTime(only.at, plannedFor);
  const isCorrected = (readMemo(delivery.memo)?.corrections ?? []).length > 0;
  return isSent && delivery.state === 'sent' && !isCorrected ? only.at : undefined;
}

function sendLines(send: Send): Markup[] {
  const { delivery, history } = send;
  const { cadence, period, plannedFor = delivery.due_at } = readPayload(delivery);
  const title = markup`*${titleOf(cadence, period)}* to ${placeMarkup(delivery.channel)}`;
  const calm = calmTime(send);
  if (calm !== undefined) return [title, markup`✅ Sent ${readerTime(new Date(calm))}, on time`];
  const steps = history.flatMap((entry) => stepMarkup(entry, plannedFor, period) ?? []);
  // What was skipped at once was never put into the outbox.
  const planned = history.some(({ step }) => step === 'planned')
    ? []
    : [markup`•  Planned for ${readerTime(new Date(plannedFor))}`];
  const corrections = (readMemo(delivery.memo)?.corrections ?? []).map(
    ({ at, isCompletion }) => markup`•  ${readerTime(new Date(at))}: ${isCompletion ? '✅ completed' : '✏️ corrected'}`,
  );
  return [title, ...planned, ...[...steps, ...corrections].slice(-MAX_STEPS), ...waitMarkup(delivery, period)];
}

function waitMarkup(delivery: Delivery, period: Period): Markup[] {
  if (delivery.state !== 'waiting' || !isWaitForDays(delivery.reason)) return [];
  const again = readerTime(new Date(delivery.next_attempt_at));
  const latest = latestSending(waitsSince(new Date(delivery.created_at), new Date(delivery.due_at), period.last));
  return [markup`•  ⏳ Waiting for ${figuresOfPeriod(period)} (until ${readerTime(latest)}). Next check: ${again}.`];
}

const MAX_STEPS = 6;
const MAX_DETAIL_LENGTH = 300;

/** One step of a delivery's history in words; the technical ones say nothing to people. */
function stepMarkup({ at, step, detail }: HistoryEntry, plannedFor: string, period: Period): Markup | undefined {
  const time = readerTime(new Date(at));
  const said = clip(detail ?? '', MAX_DETAIL_LENGTH);
  switch (step) {
    case 'planned':
      return detail?.startsWith('due')
        ? markup`•  Planned for ${readerTime(new Date(detail.slice(4)))}`
        : markup`•  ${time}: ${said}.`;
    case 'waiting':
      return isUnpublished(detail)
        ? markup`•  ${time}: waiting for ${figuresOfPeriod(period)}`
        : markup`•  ${time}: waiting. ${said}`;
    case 'unknown':
      return markup`•  ${time}: Slack’s answer got lost. Quartermaster checks the channel before it posts again.`;
    case 'unreadable':
      return markup`•  ${time}: waiting. ${said}`;
    case 'found':
    case 'sent':
      return markup`•  ${time}: ✅ sent${lateness(at, plannedFor)}`;
    case 'skipped':
      return markup`•  ${time}: skipped. ${said}`;
    case 'failed':
      return markup`•  ${time}: ❌ failed. ${said}`;
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
