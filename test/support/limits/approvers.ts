import { withLimits } from '../../../src/features/limits/core/limit-tables.ts';
import type { MessageView, ViewView } from '../../../src/sandbox/slack/people/control-types.ts';
import { readDatabase } from '../stores/databases.ts';
import { openByCommand, submitForm } from '../slack/modals.ts';
import type { LimitScene } from './limits.ts';

export interface TypedRules {
  approvers?: string[];
  hours?: string;
  secondAbove?: string;
  skipsAway?: boolean;
}

/** Submits the form of `/limits approvers`. */
export async function setApprovers(scene: LimitScene, as: string, typed: TypedRules): Promise<ViewView> {
  await openByCommand(scene.slack, as, '/limits', 'approvers');
  return submitForm(scene.slack, as, {
    approvers: { approvers: typed.approvers ?? [] },
    hours: { hours: typed.hours ?? '4' },
    secondAbove: { secondAbove: typed.secondAbove ?? '' },
    skipsAway: { skipsAway: typed.skipsAway ? ['skip'] : [] },
  });
}

/** The cards by which a user was asked to decide a request, in their direct messages. */
export async function askedCards(scene: LimitScene, id: string, as: string): Promise<MessageView[]> {
  const { channels } = await scene.slack.control.state({ as });
  const messages = channels.find(({ kind }) => kind === 'dm')?.messages ?? [];
  return messages.filter(
    ({ threadTs, ts, metadata }) =>
      (threadTs === null || threadTs === ts) && String(metadata?.event_payload['key']).startsWith(`limit-card:${id}:`),
  );
}

export async function turnsOf(scene: LimitScene, id: string) {
  const db = readDatabase(scene.databaseUrl);
  try {
    return await withLimits(db)
      .selectFrom('limitTurns')
      .selectAll()
      .where('requestId', '=', id)
      .orderBy('turn')
      .execute();
  } finally {
    await db.destroy();
  }
}
