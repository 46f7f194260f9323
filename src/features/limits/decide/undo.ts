import type { UndoFacts } from '../core/undo-facts.ts';
import { audit } from '../../../core/store/audit.ts';
import { storeNow } from '../../../core/store/lease.ts';
import { auditSubject, undoIdOf } from '../core/ids.ts';
import type { LimitRequest, LimitTransaction } from '../core/limit-tables.ts';
import { readShownForEverybody } from '../core/own-limit-removal.ts';
import { insertPeople } from '../core/requests.ts';
import { rowOfReturn } from './returns.ts';

/** Creates the request that sets the earlier limits, once. */
export async function insertUndo(
  trx: LimitTransaction,
  undone: LimitRequest,
  { people, valuesBefore }: Extract<UndoFacts, { earlierLimits: 'known' }>,
  by: string,
  now: Date,
): Promise<void> {
  const id = undoIdOf(undone.id);
  const at = now.toISOString();
  await trx
    .insertInto('limitRequests')
    .values({
      id,
      kind: 'undo',
      state: 'approved',
      requester: undone.requester,
      requesterEmail: undone.requesterEmail,
      reason: `The undo of request ${undone.id}`,
      people: people.length,
      createdAt: at,
      expiresAt: at,
      decidedBy: by,
      decidedAt: at,
      parentId: undone.id,
      nextAttemptAt: storeNow(trx),
    })
    .execute();
  const everybody = await readShownForEverybody(trx);
  await insertPeople(
    trx,
    people.flatMap((person, position) => {
      const value = valuesBefore.get(person.email);
      return value === undefined ? [] : [rowOfReturn(id, person, value, position, everybody)];
    }),
  );
  const detail = `${people.length === 1 ? '1 person' : `${people.length} people`}, as before ${undone.id}`;
  await audit(trx, { about: auditSubject(id), actor: by, action: 'undo', detail }, now);
}
