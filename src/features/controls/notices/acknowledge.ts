import { plainMessage } from '../../../core/slack/blocks/messages.ts';
import type { Button } from '../../../core/slack/blocks/blocks.ts';
import type { Click } from '../../../core/slack/interactions/interactions.ts';
import { audit } from '../../../core/store/audit.ts';
import { markup, mention, readerTime, type Markup } from '../../../core/base/text/markup.ts';
import type { Database } from '../../../core/store/tables.ts';
import { acknowledgeButton, acknowledgeValue } from '../core/controls-buttons.ts';
import type { ControlsDeps } from '../core/controls-deps.ts';
import { acknowledgementKey, controlsAcknowledgement, controlsNotice } from '../core/revision-payload.ts';
import { type Acknowledgement, tablesIn, tablesInTransaction } from '../core/revisions.ts';

export interface Footer {
  lines: readonly Markup[];
  buttons: readonly Button[];
}

export const NO_FOOTER: Footer = { lines: [], buttons: [] };

/** @param through the last revision that the notice is about */
export async function readFooter(db: Database, key: string, through: number): Promise<Footer> {
  const last = await tablesIn(db)
    .selectFrom('controlsAcknowledged')
    .selectAll()
    .where('noticeKey', '=', key)
    .orderBy('through', 'desc')
    .limit(1)
    .executeTakeFirst();
  return footerOf(last, key, through);
}

/** Revisions that were added to a notice after its acknowledgement need another one. Pure. */
function footerOf(last: Acknowledgement | undefined, key: string, through: number): Footer {
  const isAll = last !== undefined && last.through >= through;
  const part = isAll || !last ? markup`` : markup` up to revision ${last.through}`;
  return {
    lines: last ? [markup`✅ Acknowledged${part} by ${mention(last.slackId)}, ${readerTime(new Date(last.at))}`] : [],
    buttons: isAll ? [] : [acknowledgeButton(key, through)],
  };
}

const GONE = 'This notice no longer exists.';

/** Records the first acknowledgement of a change. The second person sees who was first. */
export async function acknowledge(deps: ControlsDeps, click: Click): Promise<void> {
  const { key, through } = acknowledgeValue.parse(JSON.parse(click.value));
  const notice = await controlsNotice.find(deps.db, key);
  const isThisOne = notice?.messageChannel === click.channel && notice.messageTs === click.messageTs;
  // A notice cannot be acknowledged from another channel by naming its key.
  if (!isThisOne) return click.reply.add(plainMessage(GONE));
  const now = deps.clock.now();
  const by = click.person.slackId;
  const isFirst = await deps.db.transaction().execute(async (trx) => {
    const inserted = await tablesInTransaction(trx)
      .insertInto('controlsAcknowledged')
      .values({ noticeKey: key, through, slackId: by, at: now.toISOString() })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (!inserted.numInsertedOrUpdatedRows) return false;
    const entry = { about: `controls-notice:${key}`, actor: by, action: 'acknowledged', detail: String(through) };
    await audit(trx, entry, now);
    const edit = { key: acknowledgementKey(key, through), to: notice.channel, about: key };
    await controlsAcknowledgement.enqueue(trx, { ...edit, payload: { mainKey: key } }, now);
    return true;
  });
  const done = isFirst ? undefined : await findAcknowledgement(deps.db, key, through);
  // A click that is resumed after a crash finds its own acknowledgement.
  if (!done || done.slackId === by)
    return click.reply.add(plainMessage('✅ You acknowledged this. The message says so.'));
  const first = markup`${mention(done.slackId)} already acknowledged this, ${readerTime(new Date(done.at))}.`;
  return click.reply.add(plainMessage(first));
}

function findAcknowledgement(db: Database, key: string, through: number): Promise<Acknowledgement | undefined> {
  return tablesIn(db)
    .selectFrom('controlsAcknowledged')
    .selectAll()
    .where((where) => where.and({ noticeKey: key, through }))
    .executeTakeFirst();
}
