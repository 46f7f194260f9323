import { FACTS_MAX_AGE_MS } from '../../../core/analytics/day-facts.ts';
import { FORECAST_DAYS, notBeforeFirstDay, todayOf } from '../../../core/analytics/period.ts';
import { dayOf, plusDays, type Day, type Period } from '../../../core/base/time/calendar.ts';
import { limitPeriodAround } from '../../../core/base/time/limit-period-days.ts';
import { hasRole } from '../../../core/base/roles.ts';
import type { Person } from '../../../core/slack/people/people.ts';
import { type CreditSubject, readCreditSubjects } from '../../../core/figures/credit-subjects.ts';
import { readLimitPeriod } from '../../../core/figures/limit-period.ts';
import { readStoreNow } from '../../../core/store/lease.ts';
import { isPlatformError } from '../../../core/platform/errors.ts';
import { figuresOf, type Figures } from '../../alerts/budgets/core/decide.ts';
import { namingOf } from '../../alerts/budgets/core/rights.ts';
import { allowForDestination } from '../../alerts/budgets/evaluate/recipients.ts';
import type { LimitRequest } from '../../limits/core/limit-tables.ts';
import { WAITING } from '../../limits/core/states.ts';
import type { PolicyDeps } from '../policy-deps.ts';
import { chargedIn, type Pool } from '../rules/decide-team.ts';
import { isTeamRules, poolOf, type TeamRules } from '../rules/policy-rules.ts';
import { readCharges, type StoredCharge } from '../store/charges.ts';
import { listPolicies, type StoredPolicy } from '../store/policy-store.ts';
import type { PolicyDatabase } from '../store/policy-tables.ts';

export type StoredTeam = StoredPolicy & { rules: TeamRules };

/** A team as its screens show it. */
export interface TeamState {
  team: StoredTeam;
  /** Undefined while the period of limits is not known. */
  pool: Pool | undefined;
  /** The credits that its members used in the period, and are expected to use. */
  use: TeamUse;
  /** How many requests wait about which its leads were asked first. */
  waiting: number;
}

/** Whose rights decide which figures of teams are read. */
export type TeamReader = Pick<Person, 'role' | 'seesPeople'>;

export type TeamUse =
  | { kind: 'known'; spent: number; through: Day; expected: number | undefined }
  /** No day of the period is published. */
  | { kind: 'open' }
  /** The reader may not see figures of teams. */
  | { kind: 'hidden' }
  /** The team is so small, or so like others, that it would show single people. */
  | { kind: 'private' }
  | { kind: 'unknown' };

/** In the order of the admins, without removed ones. */
export async function listTeams(db: PolicyDatabase): Promise<StoredTeam[]> {
  const all = await listPolicies(db);
  return all
    .flatMap((policy) =>
      isTeamRules(policy.rules) && policy.state !== 'removed' ? [{ ...policy, rules: policy.rules }] : [],
    )
    .toSorted((a, b) => a.rules.order - b.rules.order || (a.id < b.id ? -1 : 1));
}

export async function readTeamStates(
  deps: PolicyDeps,
  teams: readonly StoredTeam[],
  reader: TeamReader,
): Promise<TeamState[]> {
  if (teams.length === 0) return [];
  const now = await readStoreNow(deps.db);
  const unit = await readLimitPeriod(deps);
  const charges = await readCharges(deps.db);
  const period = unit && limitPeriodAround(dayOf(now), unit);
  const maySeeUse = reader.seesPeople || hasRole(reader.role, 'manager');
  const uses = period && maySeeUse ? await readUses(deps, teams, period, reader) : new Map<string, TeamUse>();
  const missing: TeamUse = maySeeUse ? { kind: 'unknown' } : { kind: 'hidden' };
  const waiting = await countTeamRequests(deps.db);
  return teams.map((team) => ({
    team,
    pool: period && {
      period,
      credits: poolOf(team.rules),
      charged: chargedIn(period, ofTeam(team, charges)),
    },
    use: uses.get(team.id) ?? missing,
    waiting: waiting.get(team.id) ?? 0,
  }));
}

const ofTeam = ({ id }: StoredTeam, charges: readonly StoredCharge[]) =>
  charges.filter(({ policyId }) => policyId === id);

/** The same sums and forecasts as those of budgets, for the same readers. */
async function readUses(
  deps: PolicyDeps,
  teams: readonly StoredTeam[],
  period: Period,
  reader: TeamReader,
): Promise<Map<string, TeamUse>> {
  const groups = await deps.people.teams();
  const subjects = teams.flatMap(({ id, rules }) => {
    const group = groups.find((one) => one.id === rules.subject.id);
    return group ? [{ id, subject: { kind: 'people' as const, emails: group.emails } }] : [];
  });
  const today = todayOf(deps);
  const [first = period.first] = [period.first, plusDays(today, -FORECAST_DAYS)].toSorted();
  const days = { first: notBeforeFirstDay(first), last: plusDays(today, -1) };
  const options = { maxAgeMs: FACTS_MAX_AGE_MS };
  const read = await readCreditSubjects(
    deps.days,
    subjects.map(({ subject }) => subject),
    days,
    options,
  );
  const uses = new Map<string, TeamUse>();
  for (const { id, subject } of subjects) {
    const part = read(subject);
    const through = part.kind === 'read' ? part.rows.at(-1)?.date : undefined;
    if (part.kind !== 'read' || through === undefined) continue;
    const figures = figuresOf(period, part.rows, { through, today });
    if (figures.through === undefined) {
      uses.set(id, { kind: 'open' });
      continue;
    }
    const admission = await admit(deps, subject, figures, reader);
    if (admission === 'unreadable') continue;
    const expected = admission?.isBestAlternative ? figures.expected : undefined;
    const { spent, through: asOf } = figures;
    uses.set(id, admission ? { kind: 'known', spent, through: asOf, expected } : { kind: 'private' });
  }
  return uses;
}

const BUDGET = { kind: 'budget' } as const;

/** Whether the reader may see the sum; undefined if it could show single people. */
async function admit(deps: PolicyDeps, counted: CreditSubject, figures: Figures, reader: TeamReader) {
  const admitting = allowForDestination(deps, BUDGET, counted, figures, namingOf(reader), { kind: 'person' });
  return admitting.catch((error: unknown) => {
    if (isPlatformError(error)) return 'unreadable' as const;
    throw error;
  });
}

const requestsOfTeams = (db: PolicyDatabase) =>
  db
    .selectFrom('limitRequests as request')
    .innerJoin('limitPolicyDecisions as decision', 'decision.requestId', 'request.id')
    .where('decision.outcome', '=', 'lead')
    .where('request.state', 'in', WAITING);

/** By the id of the policy. */
export async function countTeamRequests(db: PolicyDatabase): Promise<Map<string, number>> {
  const rows = await requestsOfTeams(db)
    .select((select) => ['decision.policyId', select.fn.countAll().as('count')] as const)
    .groupBy('decision.policyId')
    .execute();
  return new Map(rows.map(({ policyId, count }) => [policyId ?? '', Number(count)]));
}

/** The requests about which the leads of a team were asked first, and that still wait. */
export async function listTeamRequests(db: PolicyDatabase, policyId: string): Promise<LimitRequest[]> {
  return requestsOfTeams(db)
    .selectAll('request')
    .where('decision.policyId', '=', policyId)
    .orderBy('request.createdAt')
    .execute();
}
