import { z } from 'zod';
import { markup, mention, readerTime, withRest, type Markup } from '../../../core/base/text/markup.ts';
import { HOUR_MS } from '../../../core/base/time/durations.ts';
import { formatAmount } from '../../../core/base/text/amounts.ts';
import { countOf } from '../../../core/base/text/numbers.ts';
import { COVERED } from '../../../core/outbox/message-duties.ts';
import { declareNamedMessage, declareSpreadMessage, type MessageHandler } from '../../../core/outbox/message-kind.ts';
import { namesNobody } from '../../../core/outbox/poster.ts';
import { isPersonAddress } from '../../../core/outbox/reader.ts';
import { ABSENT, EVERYBODY } from '../../../core/platform/capabilities/shown-limit-store.ts';
import { shownOfText } from '../../../core/platform/capabilities/shown-limit.ts';
import type { BlockMessage } from '../../../core/slack/blocks/blocks.ts';
import { longProse, messageOf, note } from '../../../core/slack/blocks/paragraphs.ts';
import type { DatabaseTransaction } from '../../../core/store/tables.ts';
import { mayRead } from '../card/write-request-cards.ts';
import { entriesOf } from '../core/ledger.ts';
import { fallbackSentences } from '../core/limit-messages.ts';
import type { LimitDeps } from '../core/limits-deps.ts';
import type { CardTarget } from '../core/notify.ts';
import { shownWords } from '../core/person-text.ts';

const changesSchema = z.object({
  id: z.string(),
  /** When the platform showed them first. */
  at: z.iso.datetime(),
  changes: z.array(z.object({ email: z.string(), before: z.string(), now: z.string() })),
  fallbackReason: z.string().optional(),
});
type Changes = z.infer<typeof changesSchema>;

/** Limits that were changed elsewhere, in the channel of the cards or as each admin’s copy. */
const changesMessage = declareNamedMessage({ name: 'limit-changes', payload: changesSchema }, [
  'limits channel',
  'admins',
]);
const changesCopies = declareSpreadMessage({ name: 'limit-changes-copies', payload: changesSchema });

const keyOf = ({ id }: Changes, to: string) => `limit-changes:${id}:${to}`;

export async function enqueueChanges(
  trx: DatabaseTransaction,
  changes: Changes,
  target: CardTarget,
  now: Date,
): Promise<void> {
  if (target.kind === 'channel') {
    await changesMessage.enqueue(trx, { key: keyOf(changes, 'channel'), to: target.channel, payload: changes }, now);
    return;
  }
  const { fallbackReason } = target;
  const payload = { ...changes, ...(fallbackReason === undefined ? {} : { fallbackReason }) };
  await changesCopies.enqueue(trx, { key: keyOf(changes, 'copies'), to: 'admins', payload }, now);
}

const WHAT = 'The message about limits that were changed elsewhere';

export const changesMessages = (deps: LimitDeps): MessageHandler[] => [
  changesMessage.handledBy({
    isRoleFresh: true,
    write: async ({ payload }, reader) => {
      if (!mayRead(reader)) return { kind: 'skip', reason: 'The reader is no longer an admin.' };
      return { kind: 'send', message: namesNobody(await messageAbout(deps, payload)) };
    },
    // Without the channel, each admin gets a copy.
    whenFailed: async (trx, { channel, payload }, { reason }, now) => {
      if (isPersonAddress(channel)) return;
      await enqueueChanges(trx, payload, { kind: 'admins', fallbackReason: reason }, now);
    },
    report: (_trx, { channel }) => Promise.resolve(isPersonAddress(channel) ? [{ owner: null, what: WHAT }] : COVERED),
  }),
  changesCopies.handledBy({
    spread: async ({ payload }) => {
      const admins = await deps.people.admins();
      if (admins.length === 0) return undefined;
      const copies = admins.map((to) => ({ key: keyOf(payload, to), to, payload }));
      await deps.db.transaction().execute((trx) => changesMessage.enqueueAll(trx, copies, deps.clock.now()));
      return `Given to ${countOf(admins.length, 'admin')}, each by direct message.`;
    },
    report: () => Promise.resolve([{ owner: null, what: WHAT }]),
  }),
];

const MAX_LINES = 40;

/** Limits are read at the start, and then hourly. */
const FIRST_READING_MS = HOUR_MS;

/** What was set here and then lost with the store looks like a change elsewhere. */
async function gapNote({ readDataGap }: LimitDeps, at: Date): Promise<Markup[]> {
  const gap = await readDataGap();
  if (!gap || at < gap.since || at.getTime() > gap.until.getTime() + FIRST_READING_MS) return [];
  return [
    markup`Quartermaster’s store holds nothing from ${readerTime(gap.since)} to ${readerTime(gap.until)}: it was not running, or a backup was restored. So Quartermaster may have set some of these itself.`,
  ];
}

async function messageAbout(deps: LimitDeps, { at, changes, fallbackReason }: Changes): Promise<BlockMessage> {
  const emails = changes.map(({ email }) => email).slice(0, MAX_LINES);
  const [inSlack, raised] = await Promise.all([deps.people.findByEmails(emails), openRaises(deps, emails)]);
  const lines = withRest(
    changes.map(({ email, before, now: shown }) => {
      const slackId = inSlack?.get(email);
      const who =
        email === EVERYBODY
          ? markup`Everybody without a limit of their own`
          : slackId
            ? mention(slackId)
            : markup`${email}`;
      return markup`•  ${who}: ${words(before, email)} → *${words(shown, email)}*${raised.has(email) ? RAISE_STAYS : markup``}`;
    }),
    MAX_LINES,
    (rest) => markup`and ${rest} more`,
  );
  const fallback = fallbackReason === undefined ? '' : ` ${fallbackSentences(fallbackReason)}`;
  return messageOf(
    longProse([
      markup`⚠️ *${countOf(changes.length, 'limit was', 'limits were')} changed outside of Quartermaster*, seen ${readerTime(new Date(at))}`,
      ...lines,
      ...(await gapNote(deps, new Date(at))),
    ]),
    note(`The platform doesn’t show who changed them.${fallback}`),
  );
}

const RAISE_STAYS = markup`. The end of their raise will ask an admin`;

function words(text: string, email: string): string {
  if (text === ABSENT) return 'no limit of their own';
  const shown = shownOfText(text);
  return shown.kind === 'everybody' && email === EVERYBODY ? formatAmount(shown.value) : shownWords(shown);
}

/** The end of a raise replaces only the limit that was set here. */
async function openRaises({ db, clock }: LimitDeps, emails: readonly string[]): Promise<ReadonlySet<string>> {
  const now = clock.now().toISOString();
  const entries = await entriesOf(db, emails);
  return new Set(emails.filter((email) => (entries.get(email)?.at(-1)?.until ?? '') > now));
}
