import { z } from 'zod';
import { markup } from '../../core/base/text/markup.ts';
import { COVERED } from '../../core/outbox/message-duties.ts';
import { declareNamedMessage, type MessageHandler } from '../../core/outbox/message-kind.ts';
import { namesNobody } from '../../core/outbox/poster.ts';
import type { Services } from '../../core/services.ts';
import { buttonRow, messageOf, prose } from '../../core/slack/blocks/paragraphs.ts';
import { setUpButton } from '../digests/core/digest-buttons.ts';
import { isSetUp } from './set-up.ts';
import { recordWelcome } from './welcome-table.ts';

type InvitedDeps = Pick<Services, 'db' | 'clock' | 'config' | 'channels'>;

/** A person may invite it for what they are setting up: then the message of that comes instead. */
const PATIENCE_MS = 30_000;

const invitedNotice = declareNamedMessage(
  { name: 'welcome-channel-notice', payload: z.object({ invitedTo: z.string().max(40) }) },
  ['a person’s invitation'],
);

/** Says once what it can post there. */
export async function onInvited({ db, clock }: InvitedDeps, channel: string): Promise<void> {
  const now = clock.now();
  await db.transaction().execute(async (trx) => {
    if (!(await recordWelcome(trx, channel, now))) return;
    const dueAt = new Date(now.getTime() + PATIENCE_MS);
    await invitedNotice.enqueue(
      trx,
      { key: `welcome:${channel}`, to: channel, payload: { invitedTo: channel }, dueAt },
      now,
    );
  });
}

const WORDS = markup`Quartermaster can post here what agents use: a digest each day, week or month, budgets, unusual days, readiness, and changes of the enterprise controls. Nothing comes before somebody sets it up.`;

export const invitedMessages = (deps: InvitedDeps): MessageHandler =>
  invitedNotice.handledBy({
    write: async ({ payload: { invitedTo }, dueAt }) => {
      if (deps.clock.now() < new Date(dueAt))
        return { kind: 'wait', until: new Date(dueAt), reason: 'Somebody may be setting something up there.' };
      if (await isSetUp(deps, invitedTo)) return { kind: 'skip', reason: 'Something is already set up there.' };
      return { kind: 'send', message: namesNobody(messageOf(prose(WORDS), buttonRow(setUpButton()))) };
    },
    report: () => Promise.resolve(COVERED),
  });
