import { withinTime } from '../../../core/base/time/turns.ts';
import { BOT_ACTOR, audit } from '../../../core/store/audit.ts';
import { auditSubject } from '../core/ids.ts';
import type { LimitDeps } from '../core/limits-deps.ts';
import type { LimitRequest, LimitTransaction } from '../core/limit-tables.ts';
import { announceCopy, announceToAdmins, editCards } from '../core/notify.ts';
import { factsOf, findRequest, listRequests } from '../core/requests.ts';
import { isWaiting, transitionOf, WAITING, type RequestEvent, type RequestState } from '../core/states.ts';
import { isWorkingTime } from '../core/working-time.ts';
import { NO_RULES, readApproverRules, withTeam, type ApproverRules } from './approver-rules.ts';
import { TEAM, type LimitTurn, type Obstacle } from '../core/approver-tables.ts';
import type { TeamOfRequest } from '../core/request-policies.ts';
import { OBSTACLE_WORDS, readObstacles } from './obstacles.ts';
import { endOfTurn, planTurns, remainingApprovers, type PlannedTurn } from './plan-turns.ts';
import { currentTurn, listTurns, stageOf } from './turns.ts';

/** Asks the next approver of each waiting request whose present one had their time. */
export async function askNextApprovers(deps: LimitDeps): Promise<void> {
  for (const { id } of await listRequests(deps.db, WAITING)) await tryToAskNextApprover(deps, id);
}

/** The team that is asked first; undefined as soon as somebody else was asked. */
async function readTeamInTurn(
  { policies }: LimitDeps,
  request: LimitRequest,
  turns: readonly LimitTurn[],
): Promise<TeamOfRequest | undefined> {
  const isOver = turns.some(({ stage, approver, skipped }) => stage === 1 && skipped === null && approver !== TEAM);
  return isOver ? undefined : policies.teamOf(request);
}

/** The job asks later if this fails: a request or a decision does not depend on it. */
export async function tryToAskNextApprover(deps: LimitDeps, id: string): Promise<void> {
  try {
    await askNextApprover(deps, id);
  } catch (error) {
    deps.log.warn({ err: error, request: id }, 'Asking the next approver failed; it is tried again');
  }
}

/** A person waits for the answer to a form, and the first reading of all e-mails of the admins can take long. */
const MAX_WAIT_MS = 2_000;

/** Continues in the background after the wait. */
export const askNextApproverInTime = (deps: LimitDeps, id: string): Promise<void> =>
  withinTime(deps.clock, MAX_WAIT_MS, tryToAskNextApprover(deps, id), undefined);

async function askNextApprover(deps: LimitDeps, id: string): Promise<void> {
  const request = await findRequest(deps.db, id);
  if (!request || !isWaiting(request)) return;
  const turns = await listTurns(deps.db, id);
  const stage = stageOf(request);
  const team = stage === 1 ? await readTeamInTurn(deps, request, turns) : undefined;
  const rules = withTeam((await readApproverRules(deps.db)) ?? NO_RULES, team !== undefined);
  const now = deps.clock.now();
  const facts = {
    rules,
    stage,
    turns: turns.filter((turn) => turn.stage === stage),
    isWorkingTime: isWorkingTime(now, deps.config.timeZone),
  };
  const current = currentTurn(turns, stage);
  const isNobodyToAsk = rules.approvers.length === 0 && stage === 1 && turns.length === 0;
  if (isNobodyToAsk || (current && current.approver === null)) return;
  const candidates = [...(current?.approver ? [current.approver] : []), ...remainingApprovers(facts)];
  const obstacles = await readObstacles(deps, request, { candidates, rules, leads: team?.leads });
  const planned = planTurns({ ...facts, obstacles }, now);
  if (planned.length === 0) return;
  const sentences = await sentencesOf(deps, planned, { current, obstacles, team });
  const isHandedOn = current !== undefined;
  await beginTurns(deps, request, {
    planned,
    from: turns.length,
    isHandedOn,
    dueAt: dueAtOf(request, current, rules, now),
    team,
    audited: {
      actor: BOT_ACTOR,
      action: isHandedOn ? 'handed on' : 'sent to an approver',
      detail: sentences.join('. '),
    },
  });
}

/** Says who is asked, and why others are not. */
async function sentencesOf(
  { people }: LimitDeps,
  planned: readonly PlannedTurn[],
  {
    current,
    obstacles,
    team,
  }: { current: LimitTurn | undefined; obstacles: ReadonlyMap<string, Obstacle>; team: TeamOfRequest | undefined },
): Promise<string[]> {
  const nameOf = async (slackId: string | null) => {
    if (slackId === null) return 'all admins';
    if (slackId === TEAM) return team?.handle === undefined ? 'the team' : `the leads of @${team.handle}`;
    return (await people.describe(slackId))?.name ?? slackId;
  };
  const sentences: string[] = [];
  const obstacle = current?.approver ? obstacles.get(current.approver) : undefined;
  if (current && obstacle)
    sentences.push(`${await nameOf(current.approver)} can’t decide it: ${OBSTACLE_WORDS[obstacle]}`);
  for (const { approver, skipped } of planned) {
    const name = await nameOf(approver);
    sentences.push(skipped === null ? `To ${name}` : `${name} was skipped: ${OBSTACLE_WORDS[skipped]}`);
  }
  return sentences;
}

/** A restored store may lack the record of a message that was due before. */
function dueAtOf(request: LimitRequest, current: LimitTurn | undefined, rules: ApproverRules, now: Date): Date {
  const dueAt = current ? endOfTurn(current, rules) : new Date(request.firstApprovedAt ?? request.createdAt);
  return dueAt < now ? dueAt : now;
}

export interface NewTurns {
  planned: readonly PlannedTurn[];
  /** The number of the first one. */
  from: number;
  isHandedOn: boolean;
  givenBy?: { slackId: string; event: Extract<RequestEvent, { kind: 'give' }> };
  dueAt: Date;
  team?: TeamOfRequest | undefined;
  audited: { actor: string; action: string; detail: string };
}

/**
 * Records the turns and enqueues their message in one transaction. Of several replicas, the conditional update lets one
 * through; a decision in the meantime prevents it.
 *
 * @returns `false` if the request changed in the meantime
 */
export async function beginTurns(deps: LimitDeps, request: LimitRequest, turns: NewTurns): Promise<boolean> {
  const now = deps.clock.now();
  const event = turns.givenBy?.event ?? ({ kind: 'hand_on' } as const);
  const transition = transitionOf(factsOf(request), event, now);
  if (transition.kind === 'refused') return false;
  const state = turns.isHandedOn ? transition.state : request.state;
  await deps.checkpoint('limits:before_turn');
  const hasBegun = await deps.db.transaction().execute(async (trx) => {
    const after = await lock(trx, request, state, now);
    if (!after) return false;
    await insertTurns(trx, after, turns, now);
    await deps.checkpoint('limits:in_turn');
    return true;
  });
  if (hasBegun) await deps.checkpoint('limits:after_turn');
  return hasBegun;
}

async function lock(
  trx: LimitTransaction,
  { id, version }: LimitRequest,
  state: RequestState,
  now: Date,
): Promise<LimitRequest | undefined> {
  return trx
    .updateTable('limitRequests')
    .set((set) => ({ state, version: set('version', '+', 1) }))
    .where((where) => where.and({ id, version }))
    .where('state', 'in', WAITING)
    .where('expiresAt', '>', now.toISOString())
    .returningAll()
    .executeTakeFirst();
}

async function insertTurns(
  trx: LimitTransaction,
  request: LimitRequest,
  { planned, from, givenBy, dueAt, team, audited }: NewTurns,
  now: Date,
): Promise<void> {
  const { id } = request;
  const at = now.toISOString();
  const rows = planned.map((turn, index) => ({
    ...turn,
    requestId: id,
    turn: from + index,
    stage: stageOf(request),
    givenBy: givenBy?.slackId ?? null,
    at,
  }));
  await trx.insertInto('limitTurns').values(rows).execute();
  await audit(trx, { about: auditSubject(id), ...audited }, now);
  await editCards(trx, request, now);
  const asked = rows.at(-1);
  if (!asked) return;
  const card = { requestId: id, topic: `turn-${asked.turn}`, turn: asked.turn, since: dueAt.toISOString() };
  if (asked.approver === null) return announceToAdmins(trx, card, now);
  if (asked.approver !== TEAM) return announceCopy(trx, card, asked.approver, now);
  const places = team?.channel ? [team.channel] : [];
  for (const to of [...(team?.leads ?? []), ...places]) await announceCopy(trx, card, to, now);
}
