import { z } from 'zod';
import { markup, type Markup } from '../../core/base/text/markup.ts';
import type { MessageHandler } from '../../core/outbox/message-kind.ts';
import { findDelivery } from '../../core/outbox/past-deliveries.ts';
import type { DatabaseTransaction } from '../../core/store/tables.ts';
import type { Services } from '../../core/services.ts';
import { plainMessage } from '../../core/slack/blocks/messages.ts';
import type { Click, ClickAction } from '../../core/slack/interactions/interactions.ts';
import { STOP_ACTION } from './stop-button.ts';

type StopDeps = Pick<Services, 'db' | 'clock'> & {
  /** The declared kinds of message. */
  handlers: readonly MessageHandler[];
};

/** The only button that guests may press. It does nothing for users who are not the recipient. */
export function stopAction(deps: StopDeps): ClickAction {
  return {
    actionId: STOP_ACTION,
    role: 'member',
    isKept: true,
    mayBeGuest: true,
    run: async (click) => click.reply.add(plainMessage(await stop(deps, click))),
  };
}

const NOT_YOURS = 'This message isn’t yours to stop.';
const CANNOT_STOP = 'This message belongs to nothing that could be stopped.';

async function stop({ db, clock, handlers }: StopDeps, click: Click): Promise<string | Markup> {
  const delivery = await findDelivery(db, z.string().max(1_000).parse(click.value));
  const isTheirs =
    delivery?.channel === click.person.slackId &&
    delivery.messageChannel === click.channel &&
    delivery.messageTs === click.messageTs;
  if (!delivery || !isTheirs) return NOT_YOURS;
  const end = handlers
    .find(({ name }) => name === delivery.kind)
    ?.open(({ kind, duties }) => {
      const { stop: stopOne } = duties;
      return (
        stopOne && ((trx: DatabaseTransaction, now: Date) => stopOne.call(duties, trx, kind.parse(delivery), null, now))
      );
    });
  if (!end) return CANNOT_STOP;
  const now = clock.now();
  const stopped = await db.transaction().execute((trx) => end(trx, now));
  return stopped ? markup`✅ Stopped for you: ${stopped.what}.` : 'It was stopped before.';
}
