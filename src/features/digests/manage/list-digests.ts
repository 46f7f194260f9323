import { lastDeliveryWords } from '../../../core/outbox/past-deliveries.ts';
import { runCommandButton } from '../../../core/slack/blocks/messages.ts';
import { commandText } from '../../../core/slack/commands/command-text.ts';
import { actions, section, type Block, type BlockMessage } from '../../../core/slack/blocks/blocks.ts';
import { blocksOf, buttonRow, messageOf, prose, type AnyParagraph } from '../../../core/slack/blocks/paragraphs.ts';
import type { Delivery } from '../../../core/outbox/delivery-table.ts';
import { digestMessage } from '../core/digest-messages.ts';
import { figuresOfPeriod } from '../core/period-words.ts';
import { isWaitForDays, latestSending, waitsSince } from '../core/wait.ts';
import type { AttentionItem, RecurringPost } from '../../../core/slack/interactions/interactions.ts';
import type { Person } from '../../../core/slack/people/people.ts';
import { hasRole } from '../../../core/base/roles.ts';
import { markup, readerTime, withRest, type Markup } from '../../../core/base/text/markup.ts';
import { countOf } from '../../../core/base/text/numbers.ts';
import {
  editButton,
  newButton,
  nowButton,
  pauseButton,
  previewButton,
  removeButton,
  resumeButton,
} from '../core/digest-buttons.ts';
import { mayChange, type DigestRow } from '../core/digest-list.ts';
import {
  capital,
  coverageWords,
  ownerMarkup,
  placeMarkup,
  SETTINGS_SUBSCRIPTION,
  summaryOf,
} from '../core/describe.ts';

/** Each row takes two blocks of a message. */
const MAX_ROWS = 20;
/** App Home has other sections too. */
const MAX_ROWS_IN_HOME = 8;

const unfitRow = (count: number) => [
  prose(markup`${countOf(count, 'more digest')} didn’t fit here. Delete the ones you no longer read.`),
];

export function listMessage(digests: readonly DigestRow[], person: Person, note?: Markup): BlockMessage {
  const rows = digests.map((row) => [prose(rowLines(row)), buttonRow(...rowButtons(row, person))]);
  return messageOf(
    prose(note ? [note] : []),
    prose(digests.length === 0 ? NONE : markup`*${countOf(digests.length, 'digest')}*`),
    ...withRest(rows, MAX_ROWS, unfitRow).flat(),
    buttonRow(newButton()),
  );
}

const NONE = markup`There are no digests yet. Set up the first one; it takes half a minute.`;

const unfitHomeRow = (count: number) => [section(markup`${countOf(count, 'more digest')}: type \`/digest\`.`)];

/** The section of App Home: the digests with their last results; `/digest` has their content and further actions. */
export function homeBlocks(digests: readonly DigestRow[], person: Person): Block[] {
  if (digests.length === 0) return [section(NONE), actions(newButton())];
  const rows = digests.map((row) => blocksOf(shortRow(row, person)));
  const buttons = actions(newButton(), runCommandButton('Manage digests', '/digest', commandText``));
  return [...withRest(rows, MAX_ROWS_IN_HOME, unfitHomeRow).flat(), buttons];
}

/** The reader's own digests whose last message failed; for admins those from the settings too. */
export function digestAttention(rows: readonly DigestRow[], person: Person): AttentionItem[] {
  const failed = rows.filter(
    ({ subscription, last, waiting }) => !waiting && last?.state === 'failed' && mayChange(person, subscription),
  );
  return failed.slice(0, MAX_ROWS_IN_HOME).map(({ subscription }) => ({
    line: markup`❌ *The last ${summaryOf(subscription).name} to ${placeMarkup(subscription.channel)} failed.*`,
    button: runCommandButton('Why?', '/digest', commandText`why`),
  }));
}

export function digestPosts(rows: readonly DigestRow[], place: string, person: Person): RecurringPost[] {
  return rows
    .filter(({ subscription }) => subscription.channel === place)
    .map((row) => ({ lines: rowLines(row), buttons: rowButtons(row, person) }));
}

/** The digests that a person set up. */
export function digestBelongings(
  rows: readonly DigestRow[],
  owner: string | undefined,
  admin: Person,
): RecurringPost[] {
  return rows
    .filter(({ subscription }) => owner !== undefined && subscription.owner === owner)
    .map((row) => ({ lines: rowLines(row), buttons: rowButtons(row, admin) }));
}

function shortRow(row: DigestRow, person: Person): AnyParagraph[] {
  const { subscription } = row;
  const { name, rhythm } = summaryOf(subscription);
  return [
    prose([
      markup`*${capital(name)} to ${placeMarkup(subscription.channel)}*`,
      markup`${capital(rhythm)}`,
      stateMarkup(row),
    ]),
    buttonRow(...shortButtons(subscription, person)),
  ];
}

function rowLines(row: DigestRow): Markup[] {
  const { subscription } = row;
  const { id, owner, channel } = subscription;
  const { name, rhythm, audience } = summaryOf(subscription);
  return [
    markup`*${capital(name)} to ${placeMarkup(channel)}*  \`${id}\``,
    markup`${capital(rhythm)} · covers ${audience} · ${owner === null ? 'from the server settings' : markup`set up by ${ownerMarkup(owner)}`}`,
    markup`${coverageWords(subscription)}`,
    stateMarkup(row),
  ];
}

function stateMarkup({ subscription, last, waiting }: DigestRow): Markup {
  const next =
    subscription.state === 'paused'
      ? pausedMarkup(subscription)
      : markup`Next ${readerTime(new Date(subscription.nextDueAt))}`;
  return markup`${next} · ${waiting ? waitingMarkup(waiting) : lastDeliveryWords(last)}`;
}

function pausedMarkup({ pausedReason: reason, changedBy: by }: DigestRow['subscription']): Markup {
  if (reason !== null) return markup`⏸️ *Paused by Quartermaster.* ${reason}`;
  return by === null ? markup`⏸️ *Paused*` : markup`⏸️ *Paused* by ${ownerMarkup(by)}`;
}

/** @example waitingMarkup(delivery) // ⏳ today’s is waiting for Sunday’s figures (until today at 3:00 PM) */
function waitingMarkup(delivery: Delivery): Markup {
  const { period } = digestMessage.parse(delivery).payload;
  if (!isWaitForDays(delivery.reason)) return markup`⏳ one is on its way`;
  const latest = latestSending(waitsSince(new Date(delivery.createdAt), new Date(delivery.dueAt), period.last));
  return markup`⏳ the latest is waiting for ${figuresOfPeriod(period)} (until ${readerTime(latest)})`;
}

/** At most as many buttons as fit beside each other on a phone. */
function shortButtons(subscription: DigestRow['subscription'], person: Person) {
  const { id, state } = subscription;
  const isTheirs = mayChange(person, subscription);
  return [
    ...(hasRole(person.role, 'manager') ? [nowButton(id)] : []),
    ...(isTheirs && id !== SETTINGS_SUBSCRIPTION ? [editButton(id)] : []),
    ...(isTheirs ? [state === 'paused' ? resumeButton(id) : pauseButton(id)] : []),
  ];
}

function rowButtons({ subscription }: DigestRow, person: Person) {
  const { id } = subscription;
  const mayRemove = mayChange(person, subscription) && id !== SETTINGS_SUBSCRIPTION;
  return [
    ...(hasRole(person.role, 'manager') ? [previewButton(id)] : []),
    ...shortButtons(subscription, person),
    ...(mayRemove ? [removeButton(id, `The ${summaryOf(subscription).name}`)] : []),
  ];
}
