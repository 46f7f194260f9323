import { createRequestPolicies } from '../../../src/features/limit-policies/request-policies.ts';
import { PLATFORM_BEGINNING } from '../../../src/core/analytics/period.ts';
import { noCheckpoint, type CheckpointName } from '../../../src/core/base/checkpoint.ts';
import { createApplier, type Applier } from '../../../src/features/limits/apply/applier.ts';
import { makeRequest } from '../../../src/features/limits/ask/create.ts';
import { moveRequest } from '../../../src/features/limits/decide/decide.ts';
import type { Decision } from '../../../src/features/limits/decide/decision.ts';
import { listDue } from '../../../src/features/limits/apply/leases.ts';
import { undoIdOf } from '../../../src/features/limits/core/ids.ts';
import type { FourEyes } from '../../../src/core/base/settings/config.ts';
import { withLimits, type LimitDatabase, type LimitPerson } from '../../../src/features/limits/core/limit-tables.ts';
import type { UserLimit } from '../../../src/core/platform/endpoints/limits.ts';
import type { LimitDeps } from '../../../src/features/limits/core/limits-deps.ts';
import { NO_RULES, saveApproverRules } from '../../../src/features/limits/approvers/approver-rules.ts';
import { highestAmount } from '../../../src/features/limits/approvers/second-approval.ts';
import { isWaiting } from '../../../src/features/limits/core/states.ts';
import { findRequest, peopleOf, sumAmounts } from '../../../src/features/limits/core/requests.ts';
import { beginReturns } from '../../../src/features/limits/decide/returns.ts';
import { validateInput, readInputFacts } from '../../../src/features/limits/ask/validate-input.ts';
import { createLogger } from '../../../src/core/base/log.ts';
import { PlatformError } from '../../../src/core/platform/errors.ts';
import { createMovableClock, type MovableClock } from '../../../src/sandbox/demo/movable-clock.ts';
import type { FreshPerson } from '../../../src/core/slack/people/people.ts';
import { overrideStoreTime } from '../../../src/core/store/lease.ts';
import type { Database } from '../../../src/core/store/tables.ts';

const START = new Date('2026-03-02T09:00:00Z');
const HOUR_MS = 60 * 60_000;

/** The platform's answer to the next PUT. */
export type Mood = 'fine' | 'refuses' | 'lost' | 'busy' | 'dead';

/** The possible events of limits, one after another. */
export type Step =
  | { kind: 'ask'; by: number; people: number[]; amount: number; days: number; back: number }
  | {
      kind: 'approve';
      by: number;
      request: number;
      lowered: number[];
      leftOut: boolean[];
      backs: number[];
      most: number;
      isConfirmed: boolean;
    }
  | { kind: 'deny' | 'withdraw' | 'retry' | 'undo'; by: number; request: number }
  | { kind: 'wait'; hours: number }
  | { kind: 'mood'; mood: Mood }
  | { kind: 'crash'; step: CheckpointName };

/** The values that an approval named for one person. */
export interface Approval {
  email: string;
  value: number;
  /** The highest limit afterwards; undefined without an end. */
  back: number | null;
  by: string;
  requester: string;
}

/** A successful press of *Undo*, with the people whose limit it sets. */
export interface PlayedUndo {
  request: string;
  by: string;
  emails: readonly string[];
}

/** The setting and the admins of a play. */
export interface Organization {
  fourEyes: FourEyes;
  hasOneAdmin: boolean;
  /** Two admins approve above this many credits. */
  secondAbove?: number | undefined;
}
const TWO_ADMINS: Organization = { fourEyes: 'required', hasOneAdmin: false };

const emailOf = (index: number) => `p${index}@acme.example`;
/** The last two of the six decide; all may send requests and be named in them. */
export const personAt = (index: number): FreshPerson => ({
  slackId: `U${index}`,
  name: `P${index}`,
  email: emailOf(index),
  timeZone: 'UTC',
  role: index >= 4 ? 'admin' : 'manager',
  seesPeople: true,
  isRoleFresh: true,
});

/** With one admin, the fifth person decides, and the sixth is a manager. */
const personIn = ({ hasOneAdmin }: Organization, index: number): FreshPerson => ({
  ...personAt(index),
  ...(hasOneAdmin && index === 5 ? { role: 'manager' } : {}),
});

/** One play: the store, the platform's memory of PUTs, and what the approvals named. */
interface Play {
  parts: LimitDeps;
  applier: Applier;
  clock: MovableClock;
  ids: string[];
  approvals: Approval[];
  undos: PlayedUndo[];
  organization: Organization;
  puts: { email: string; limit: number }[];
  mood: Mood;
  crashAt: CheckpointName | undefined;
}

export const PLACE = { kind: 'channel', channel: 'C1' } as const;

/** Plays entries against the real store and a platform that remembers each PUT; returns both sides of the promise. */
export async function playLimits(database: Database, entries: readonly Step[], organization = TWO_ADMINS) {
  const db = withLimits(database);
  await empty(db);
  const play = setPlay(db, organization);
  overrideStoreTime(database, () => play.clock.now());
  const { secondAbove } = organization;
  if (secondAbove !== undefined)
    await db
      .transaction()
      .execute((trx) => saveApproverRules(trx, { ...NO_RULES, secondAbove }, { by: 'U4', detail: '' }, START));
  for (const step of entries) await run(play, step).catch((error: unknown) => rethrowUnlessEnded(error));
  // Work that was under a lease or not due yet is done in the end.
  for (let day = 0; day < 20; day += 1) await run(play, { kind: 'wait', hours: 24 });
  play.clock.dispose();
  const ledger = await db.selectFrom('limitLedger').selectAll().orderBy('setAt').orderBy('approvedAt').execute();
  const requests = await db.selectFrom('limitRequests').selectAll().where('kind', '=', 'ask').execute();
  const sent = await Promise.all(
    requests
      .filter(({ decidedBy, attempts, round }) => decidedBy !== null && attempts + round > 0)
      .map(async (request) => ({ ...request, total: (await sumAmounts(db, request.id)).approved ?? 0 })),
  );
  return { puts: play.puts, approvals: play.approvals, undos: play.undos, ledger, sent };
}

/** On a platform that does not show limits, `null` is never sent. */
export function numbersIn(limits: readonly UserLimit[]): { email: string; limit: number }[] {
  return limits.map(({ email, limit }) => {
    if (limit === null) throw new Error(`The limit of ${email} is removed`);
    return { email, limit };
  });
}

/** A platform that shows no limits. */
export const SHOWS_NO_LIMITS: LimitDeps['capabilities'] = {
  limits: () => Promise.resolve(undefined),
  readLimits: () => Promise.resolve({ kind: 'not_shown' }),
  refreshLimits: () => Promise.resolve(),
  readRoster: () => Promise.resolve(undefined),
};

/** The parts of the feature for tests in which only the store and the platform matter. */
export function limitParts(
  db: LimitDatabase,
  clock: MovableClock,
  rest: Pick<LimitDeps, 'platform'> & Partial<LimitDeps>,
): LimitDeps {
  let seed = 1;
  const parts = {
    config: {
      limitsChannel: undefined,
      limitPeriod: undefined,
      limitMinimum: undefined,
      limitPolicies: true,
      minGroup: 5,
      fourEyes: 'required',
      limitsExpireHours: 10_000,
      timeZone: 'UTC',
    },
    db,
    days: { dailyCredits: unused, credits: unused, peopleCredits: unused, beginningOfPeople: () => PLATFORM_BEGINNING },
    people: PEOPLE,
    files: { send: unused, read: unused },
    clock,
    log: createLogger('silent', []),
    random: () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647,
    channels: { join: unused },
    readDataGap: () => Promise.resolve(undefined),
    checkpoint: noCheckpoint,
    plannedSums: () => Promise.resolve([]),
    readHoldingBudgets: () => Promise.resolve([]),
    readOwnLimitLine: () => Promise.resolve(undefined),
    readMonthlyUse: () => Promise.resolve(undefined),
    knownEmails: { complete: (person) => Promise.resolve(person) },
    capabilities: SHOWS_NO_LIMITS,
    ...rest,
  } satisfies Omit<LimitDeps, 'policies'>;
  return { ...parts, policies: rest.policies ?? createRequestPolicies(parts) };
}

function setPlay(db: LimitDatabase, organization: Organization): Play {
  const clock = createMovableClock(START);
  const state = { mood: 'fine' as Mood, crashAt: undefined as CheckpointName | undefined };
  const puts: Play['puts'] = [];
  const base = limitParts(db, clock, { platform: { limits: { setUserLimits: unused } } });
  const parts = limitParts(db, clock, {
    config: { ...base.config, fourEyes: organization.fourEyes },
    people: { ...PEOPLE, admins: () => Promise.resolve(organization.hasOneAdmin ? ['U4'] : ['U4', 'U5']) },
    platform: {
      limits: {
        setUserLimits: (wanted) => {
          const limits = numbersIn(wanted);
          puts.push(...limits);
          const { mood } = state;
          state.mood = 'fine';
          return answerOf(mood, limits);
        },
      },
    },
    checkpoint: (step) => {
      if (step !== state.crashAt) return;
      state.crashAt = undefined;
      throw new Error(`The process ended ${step}`);
    },
  });
  return Object.assign(state, {
    parts,
    applier: createApplier(parts, () => Promise.resolve(PLACE)),
    clock,
    ids: [],
    approvals: [],
    undos: [],
    organization,
    puts,
  });
}

const unused = () => Promise.reject(new Error('not asked here'));
const PEOPLE: LimitDeps['people'] = {
  identify: unused,
  identifyAfresh: unused,
  groupMembers: unused,
  groupHandle: unused,
  admins: unused,
  managers: unused,
  isDeactivated: unused,
  status: unused,
  teams: unused,
  teamsNow: unused,
  describe: (id) => Promise.resolve(personAt(Number(id.slice(1)))),
  names: unused,
  findByEmails: () => Promise.resolve(new Map()),
  erasedAmong: () => [],
  groupEvidence: () => ({ refusedSince: undefined, acceptedAt: undefined, codes: [] }),
  readSettingsGroups: unused,
};

async function run(play: Play, step: Step): Promise<void> {
  const { clock } = play;
  switch (step.kind) {
    case 'ask':
      return ask(play, step);
    case 'approve':
      return approve(play, step);
    case 'wait':
      clock.moveTo(new Date(clock.now().getTime() + step.hours * HOUR_MS));
      return sendDue(play);
    case 'mood':
      play.mood = step.mood;
      return;
    case 'crash':
      play.crashAt = step.step;
      return;
    case 'deny':
    case 'withdraw':
    case 'retry': {
      const id = play.ids[step.request % play.ids.length];
      const decision: Decision = step.kind === 'deny' ? { kind: 'deny', comment: 'no' } : { kind: step.kind };
      if (id !== undefined) await moveRequest(play.parts, id, personIn(play.organization, step.by), decision);
      return;
    }
    case 'undo':
      return undo(play, step.request, step.by);
    default:
      return step satisfies never;
  }
}

async function sendDue({ parts, applier }: Play): Promise<void> {
  await beginReturns(parts, () => Promise.resolve(PLACE));
  for (const id of await listDue(parts.db)) await applier.apply({ id, people: 1 }).catch(() => undefined);
}

/** Presses *Undo* on one of the newest requests, because older ones can no longer be undone. */
async function undo({ parts, applier, ids, undos, organization }: Play, request: number, index: number): Promise<void> {
  const id = ids.toReversed()[request % Math.min(ids.length, 2)];
  if (id === undefined) return;
  const by = personIn(organization, index);
  const emails = (await peopleOf(parts.db, id)).filter(({ state }) => state === 'set').map(({ email }) => email);
  const before = await findRequest(parts.db, id);
  try {
    await moveRequest(parts, id, by, { kind: 'undo' });
  } finally {
    const after = await findRequest(parts.db, id);
    if (before?.undoneAt === null && after?.undoneBy === by.slackId)
      undos.push({ request: id, by: by.email ?? '', emails });
  }
  const undoing = await findRequest(parts.db, undoIdOf(id));
  if (undoing) await applier.apply(undoing);
}

async function ask({ parts, clock, ids, organization }: Play, step: Extract<Step, { kind: 'ask' }>): Promise<void> {
  const until = step.days === 0 ? undefined : new Date(clock.now().getTime() + step.days * 24 * HOUR_MS);
  const people = step.people.map((one) => `U${one}`);
  const back = step.back < 0 ? '' : String(step.back);
  const input = {
    people,
    emails: '',
    amount: String(step.amount),
    reason: 'x',
    ending: until ? ('other' as const) : ('none' as const),
    until,
    back,
  };
  const judged = validateInput(input, await readInputFacts(parts, input, personIn(organization, step.by)));
  if (Object.keys(judged.problems).length > 0) return;
  const wanted = { kind: 'ask', reason: 'x', until, people: judged.people } as const;
  const id = await makeRequest(parts, PLACE, personIn(organization, step.by), wanted);
  if (id !== undefined) ids.push(id);
}

async function approve({ parts, applier, ids, approvals, organization }: Play, step: ApproveStep): Promise<void> {
  const id = ids[step.request % ids.length];
  if (id === undefined) return;
  const { db } = parts;
  const rows = await peopleOf(db, id);
  const reviewed = rows.map((row, index) => reviewOf(row, index, step));
  const person = personIn(organization, step.by);
  const named = reviewed.filter(({ isLeftOut }) => !isLeftOut);
  const decision: Decision = {
    kind: 'approve',
    comment: '',
    isConfirmed: step.isConfirmed,
    isSecond: (await findRequest(db, id))?.state === 'second_approval',
    lowered: new Map(named.map(({ email, value }) => [email, value])),
    leftOut: new Set(reviewed.filter(({ isLeftOut }) => isLeftOut).map(({ email }) => email)),
    returns: new Map(named.flatMap(({ email, back }) => (back === null ? [] : [[email, back]]))),
    highestReturn: step.most < 0 ? undefined : step.most,
  };
  const before = await findRequest(db, id);
  try {
    await moveRequest(parts, id, person, decision);
  } finally {
    // A process may end right after its decision, which then remains.
    const after = await findRequest(db, id);
    if (before && isWaiting(before) && after?.decidedBy === person.slackId)
      approvals.push(
        ...named.map((one) => ({ ...one, by: person.email ?? '', requester: before.requesterEmail ?? '' })),
      );
  }
  await applier.apply({ id, people: rows.length });
}

type ApproveStep = Extract<Step, { kind: 'approve' }>;

function reviewOf(row: LimitPerson, index: number, step: ApproveStep) {
  const value = Math.floor((highestAmount(row) * (step.lowered[index] ?? 100)) / 100);
  const shown = row.returnValue;
  const typed = shown === null ? null : Math.floor((shown * (step.backs[index] ?? 100)) / 100);
  const back = typed === null ? null : Math.min(typed, value, step.most < 0 ? typed : step.most);
  return { email: row.email, value, back, isLeftOut: row.state === 'left_out' || (step.leftOut[index] ?? false) };
}

function answerOf(mood: Mood, wanted: readonly { email: string; limit: number }[]) {
  const fault = (code: 'timeout' | 'rate_limited' | 'forbidden', outcomeUnknown: boolean) =>
    Promise.reject(new PlatformError({ code, method: 'PUT', path: '/limits', detail: '', outcomeUnknown }));
  switch (mood) {
    case 'fine':
      return Promise.resolve({ updated: [...wanted], errors: [] });
    case 'refuses':
      return Promise.resolve({
        updated: wanted.slice(1),
        errors: wanted.slice(0, 1).map(({ email }) => ({ email, error: 'no' })),
      });
    case 'lost':
      return fault('timeout', true);
    case 'busy':
      return fault('rate_limited', false);
    case 'dead':
      return fault('forbidden', false);
    default:
      return mood satisfies never;
  }
}

function rethrowUnlessEnded(error: unknown): void {
  if (!(error instanceof Error) || !error.message.startsWith('The process ended')) throw error;
}

async function empty(db: LimitDatabase): Promise<void> {
  await db.deleteFrom('limitApproverRules').execute();
  await db.deleteFrom('limitTurns').execute();
  await db.deleteFrom('limitLedger').execute();
  await db.deleteFrom('limitRequestPeople').execute();
  await db.deleteFrom('limitRequests').execute();
  await db.deleteFrom('deliveries').execute();
  await db.deleteFrom('forgottenDeliveries').execute();
}
