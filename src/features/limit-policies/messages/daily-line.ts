import { z } from 'zod';
import { formatAmount, formatShortAmount } from '../../../core/base/text/amounts.ts';
import { markup, mention, readerTime, withRest, type Markup } from '../../../core/base/text/markup.ts';
import { countOf } from '../../../core/base/text/numbers.ts';
import { namesNobody } from '../../../core/outbox/poster.ts';
import { type MessageHandler, declareNamedMessage, declareSpreadMessage } from '../../../core/outbox/message-kind.ts';
import { COVERED } from '../../../core/outbox/message-duties.ts';
import { isPersonAddress } from '../../../core/outbox/reader.ts';
import { section, type BlockMessage } from '../../../core/slack/blocks/blocks.ts';
import { messageOf, note, prose, type AnyParagraph } from '../../../core/slack/blocks/paragraphs.ts';
import { readStoreNow } from '../../../core/store/lease.ts';
import type { DatabaseTransaction } from '../../../core/store/tables.ts';
import { mayRead } from '../../limits/card/write-request-cards.ts';
import { undoButton } from '../../limits/core/limit-buttons.ts';
import type { PolicyDeps } from '../policy-deps.ts';
import type { CardTarget } from '../../limits/core/notify.ts';
import { fallbackSentences } from '../../limits/core/limit-messages.ts';
import { nameOf, undoEffect } from '../../limits/core/person-text.ts';
import { factsOf, findRequest, peopleOf } from '../../limits/core/requests.ts';
import { readUndoFacts } from '../../limits/core/undo-facts.ts';
import { isInUndoTime } from '../../limits/core/states.ts';
import { lastLineAt } from '../rules/windows.ts';
import { listGrants } from '../store/policy-decisions.ts';
import type { PolicyDecisionRow } from '../store/policy-tables.ts';

const lineSchema = z.object({
  /** Grants after this instant, up to `until`. */
  after: z.iso.datetime(),
  until: z.iso.datetime(),
  fallbackReason: z.string().optional(),
});
type Line = z.infer<typeof lineSchema>;

/** What policies granted in a day, in the channel of the cards or as each admin’s copy. */
const policyLine = declareNamedMessage({ name: 'limit-policy-line', payload: lineSchema }, [
  'limits channel',
  'admins',
]);
const lineCopies = declareSpreadMessage({ name: 'limit-policy-line-copies', payload: lineSchema });

/** Enqueues the line of a day once; none for a day without grants. */
export async function announceGrants(deps: PolicyDeps, cardTarget: () => Promise<CardTarget>): Promise<void> {
  const { db, config, clock } = deps;
  const settings = await db.selectFrom('limitPolicySettings').select('linedUntil').executeTakeFirst();
  if (!settings) return;
  const lineAt = lastLineAt(await readStoreNow(db), config.timeZone);
  const { linedUntil } = settings;
  if (linedUntil !== null && linedUntil >= lineAt.toISOString()) return;
  const after = new Date(linedUntil ?? 0);
  const grants = await listGrants(db, { after, until: lineAt });
  const target = await cardTarget();
  const line = { after: after.toISOString(), until: lineAt.toISOString() };
  await db.transaction().execute(async (trx) => {
    const moved = await trx
      .updateTable('limitPolicySettings')
      .set({ linedUntil: line.until })
      .where('linedUntil', linedUntil === null ? 'is' : '=', linedUntil)
      .executeTakeFirst();
    if (moved.numUpdatedRows === 0n || grants.length === 0) return;
    await enqueueLine(trx, line, target, clock.now());
  });
}

const keyOf = ({ until }: Line, to: string) => `limit-policy-line:${until}:${to}`;

async function enqueueLine(trx: DatabaseTransaction, line: Line, target: CardTarget, now: Date): Promise<void> {
  const dueAt = new Date(line.until);
  if (target.kind === 'channel') {
    await policyLine.enqueue(trx, { key: keyOf(line, 'channel'), to: target.channel, payload: line, dueAt }, now);
    return;
  }
  const { fallbackReason } = target;
  const payload = { ...line, ...(fallbackReason === undefined ? {} : { fallbackReason }) };
  await lineCopies.enqueue(trx, { key: keyOf(line, 'copies'), to: 'admins', payload, dueAt }, now);
}

export const lineMessages = (deps: PolicyDeps): MessageHandler[] => [
  policyLine.handledBy({
    isRoleFresh: true,
    write: async ({ payload }, reader) => {
      if (!mayRead(reader)) return { kind: 'skip', reason: 'The reader is no longer an admin.' };
      return { kind: 'send', message: namesNobody(await lineMessage(deps, payload)) };
    },
    // Without the channel, each admin gets a copy.
    whenFailed: async (trx, { channel, payload }, { reason }, now) => {
      if (isPersonAddress(channel)) return;
      await enqueueLine(trx, payload, { kind: 'admins', fallbackReason: reason }, now);
    },
    report: (_trx, { channel }) =>
      Promise.resolve(isPersonAddress(channel) ? [{ owner: null, what: 'The daily line of limit policies' }] : COVERED),
  }),
  lineCopies.handledBy({
    spread: async ({ payload }) => {
      const admins = await deps.people.admins();
      if (admins.length === 0) return undefined;
      const now = deps.clock.now();
      const dueAt = new Date(payload.until);
      const copies = admins.map((to) => ({ key: keyOf(payload, to), to, payload, dueAt }));
      await deps.db.transaction().execute((trx) => policyLine.enqueueAll(trx, copies, now));
      return `Given to ${countOf(admins.length, 'admin')}, each by direct message.`;
    },
    report: () => Promise.resolve([{ owner: null, what: 'The daily line of limit policies' }]),
  }),
];

const MAX_LINES = 20;

async function lineMessage(deps: PolicyDeps, { after, until, fallbackReason }: Line): Promise<BlockMessage> {
  const grants = await listGrants(deps.db, { after: new Date(after), until: new Date(until) });
  const lines: AnyParagraph[] = [];
  for (const grant of grants.slice(0, MAX_LINES)) lines.push(await grantParagraph(deps, grant));
  const credits = grants.reduce((sum, one) => sum + one.credits, 0);
  const fallback = fallbackReason === undefined ? '' : ` ${fallbackSentences(fallbackReason)}`;
  return messageOf(
    prose(markup`*Policies granted ${countOf(grants.length, 'limit')}* · ${formatAmount(credits)} credits released`),
    ...lines,
    ...withRest<AnyParagraph>(
      grants.slice(MAX_LINES).map(() => prose([])),
      0,
      (rest) => prose(markup`and ${rest} more: \`/limits audit csv\` has all of them`),
    ),
    note(`Undo sets the previous limit again, until the next of these daily messages.${fallback}`),
  );
}

async function grantParagraph({ db, clock }: PolicyDeps, grant: PolicyDecisionRow): Promise<AnyParagraph> {
  const { requestId, policyName, policyVersion } = grant;
  const request = await findRequest(db, requestId);
  const [person] = await peopleOf(db, requestId, 1);
  const policy = markup`“${policyName ?? ''}” (version ${policyVersion ?? 0}), \`${requestId}\``;
  if (!request || !person) return prose(markup`•  A limit by ${policy}; its request was deleted.`);
  const before = person.fromValue === null ? markup`` : markup`${formatShortAmount(person.fromValue)} → `;
  const until = request.until === null ? markup`` : markup` until ${readerTime(new Date(request.until))}`;
  const line = markup`•  ${nameOf(person)}: ${before}*${formatShortAmount(person.toValue)}*${until}${outcomeOf(request)} · by ${policy}`;
  const undo = isInUndoTime(factsOf(request), clock.now()) && request.undoneAt === null;
  const facts = undo ? await readUndoFacts(db, request) : undefined;
  const earlier = facts?.earlierLimits === 'known' ? facts.valuesBefore.get(person.email) : undefined;
  if (earlier === undefined) return prose(line);
  const effect = undoEffect(person, earlier);
  return { blocks: [section(line, undoButton(requestId, effect))], lines: [line] };
}

function outcomeOf({ state, undoneBy }: { state: string; undoneBy: string | null }): Markup {
  if (undoneBy !== null) return markup`, undone by ${mention(undoneBy)}`;
  if (state === 'applied') return markup``;
  return state === 'pending' ? markup`, handed to a person` : markup`, not confirmed by the platform`;
}
