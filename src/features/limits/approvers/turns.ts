import { batchesOf } from '../../../core/base/time/turns.ts';
import type { LimitDatabase, LimitRequest } from '../core/limit-tables.ts';
import type { VisibleRequest } from '../core/visible.ts';
import { readApproverRules } from './approver-rules.ts';
import { TEAM, type LimitTurn } from '../core/approver-tables.ts';
import type { LimitDeps } from '../core/limits-deps.ts';

/** The database binds a limited number of values. */
const IDS_A_QUERY = 1_000;

export const stageOf = ({ state }: Pick<LimitRequest, 'state'>): 1 | 2 => (state === 'second_approval' ? 2 : 1);

/** Oldest first. */
export async function listTurns(db: LimitDatabase, requestId: string): Promise<LimitTurn[]> {
  return db.selectFrom('limitTurns').selectAll().where('requestId', '=', requestId).orderBy('turn').execute();
}

/** Returns the turn of the admin who is asked now. Pure. @param turns oldest first */
export function currentTurn(turns: readonly LimitTurn[], stage: 1 | 2): LimitTurn | undefined {
  return turns.findLast((turn) => turn.stage === stage && turn.skipped === null);
}

/** Counts the requests that an admin is asked to decide now, apart from those that all admins are asked about. */
export async function countAskedOf(
  db: LimitDatabase,
  requests: readonly Pick<VisibleRequest, 'request'>[],
  slackId: string,
): Promise<number> {
  let count = 0;
  for (const some of batchesOf(requests, { maxItems: IDS_A_QUERY })) {
    const ids = some.map(({ request }) => request.id);
    const turns = await db.selectFrom('limitTurns').selectAll().where('requestId', 'in', ids).orderBy('turn').execute();
    const byRequest = Map.groupBy(turns, ({ requestId }) => requestId);
    count += some.filter(
      ({ request }) => currentTurn(byRequest.get(request.id) ?? [], stageOf(request))?.approver === slackId,
    ).length;
  }
  return count;
}

/** Whether the approvers of a list get the request one after the other, until all admins are asked. */
export async function isAskedInTurns(
  { db, policies }: Pick<LimitDeps, 'db' | 'policies'>,
  request: LimitRequest,
): Promise<boolean> {
  const turns = await listTurns(db, request.id);
  const current = currentTurn(turns, stageOf(request));
  const hasApprovers = (await readApproverRules(db))?.approvers.length ?? 0;
  if (hasApprovers > 0 || current) return current?.approver !== null;
  return stageOf(request) === 1 && (await policies.isForTeam(request.id));
}

/** Returns the Slack ids of the admins who were asked alone at this stage. */
export async function listAsked(db: LimitDatabase, request: Pick<LimitRequest, 'id' | 'state'>): Promise<string[]> {
  const turns = await listTurns(db, request.id);
  return turns.flatMap(({ stage, skipped, approver }) =>
    stage === stageOf(request) && skipped === null && approver !== TEAM ? (approver ?? []) : [],
  );
}
