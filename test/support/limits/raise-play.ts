import type { PolicyDatabase } from '../../../src/features/limit-policies/store/policy-tables.ts';
import { findRequest } from '../../../src/features/limits/core/requests.ts';
import { moveRequest } from '../../../src/features/limits/decide/decide.ts';
import { createMovableClock, type MovableClock } from '../../../src/sandbox/demo/movable-clock.ts';
import { overrideStoreTime } from '../../../src/core/store/lease.ts';
import {
  ADMINS,
  askFor,
  declare,
  emailOf,
  policyPerson,
  policyReplica,
  runJobs,
  worldOf,
  type PolicyAsk,
  type PolicyWorld,
} from './policy-scene.ts';

/** One replica whose platform accepts every limit at once. */
export interface RaisePlay {
  db: PolicyDatabase;
  clock: MovableClock;
  world: PolicyWorld;
  own: ReturnType<typeof policyReplica>;
  /** What the platform got, oldest first. */
  puts: { email: string; limit: number; at: Date }[];
}

const TABLES = [
  'limitLedger',
  'limitRequestPeople',
  'limitRequests',
  'limitPolicies',
  'limitPolicyVersions',
  'limitPolicyDecisions',
  'limitPolicySettings',
  'limitApproverRules',
  'declaredLimits',
  'limitDeclarations',
  'deliveries',
  'audit',
] as const;

export async function startRaises(
  db: PolicyDatabase,
  start: Date,
  change: Partial<PolicyWorld> = {},
): Promise<RaisePlay> {
  for (const table of TABLES) await db.deleteFrom(table).execute();
  await db.withTables<{ limitPeriod: { place: string } }>().deleteFrom('limitPeriod').execute();
  const clock = createMovableClock(start, { frozen: true });
  overrideStoreTime(db, () => clock.now());
  const world = worldOf(change);
  const puts: RaisePlay['puts'] = [];
  const own = policyReplica(db, clock, world, (limits) => {
    puts.push(...limits.map((one) => ({ ...one, at: clock.now() })));
    return Promise.resolve({ updated: [...limits], errors: [] });
  });
  await declare(own.deps);
  return { db, clock, world, own, puts };
}

/** @returns whether a policy granted it; otherwise the requester withdraws it, so that it blocks no later one */
export async function askAndWithdraw({ own, db }: RaisePlay, ask: PolicyAsk): Promise<boolean> {
  const id = await askFor(own, ask);
  const request = await findRequest(db, id);
  if (request?.policyId) return true;
  await moveRequest(own.deps, id, policyPerson(ask.by ?? ask.for), { kind: 'withdraw' });
  return false;
}

/** An admin approves a limit, as the requester asked for it; policies are off while it is made. */
export async function approveLimit({ own, db, world }: RaisePlay, ask: PolicyAsk): Promise<void> {
  world.areOn = false;
  const id = await askFor(own, ask);
  world.areOn = true;
  await moveRequest(own.deps, id, policyPerson(ADMINS[0]), {
    kind: 'approve',
    comment: '',
    isConfirmed: false,
    lowered: new Map(),
    leftOut: new Set(),
    returns: new Map(),
    highestReturn: undefined,
  });
  await own.applier.apply({ id, people: 1 });
  const request = await findRequest(db, id);
  if (request?.state !== 'applied') throw new Error(`Not applied: ${request?.state}`);
}

/** Moves the clock, and runs the jobs of a few minutes: one request can wait for another to be sent. */
export async function passUntil({ clock, own }: RaisePlay, at: Date): Promise<void> {
  clock.moveTo(at);
  for (let minute = 0; minute < 3; minute += 1) {
    await runJobs(own);
    clock.moveTo(new Date(clock.now().getTime() + 60_000));
  }
}

/** The limit that the platform has. */
export const platformLimit = ({ puts }: RaisePlay, slackId: string): number | undefined =>
  puts.findLast(({ email }) => email === emailOf(slackId))?.limit;
