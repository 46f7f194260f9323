import type { PoliciesOf } from '../../store/table-policy.ts';
import type { Database } from '../../store/tables.ts';
import { READINESS_PLACES, type PlaceMemory } from '../endpoints/readiness-place.ts';
import type { Capability, CapabilityState, OptionalOperation } from './capability.ts';

/** All times are ISO 8601 in UTC with milliseconds. */
interface PlatformCapabilityTable {
  operation: OptionalOperation;
  state: CapabilityState;
  since: string;
  askedAt: string;
  readAt: string | null;
  reason: string | null;
}

interface PlatformPlaceTable {
  operation: 'readiness';
  place: string;
}

export type CapabilityTables = { platformCapabilities: PlatformCapabilityTable; platformPlaces: PlatformPlaceTable };

export const capabilityPolicies: PoliciesOf<CapabilityTables> = {
  platformCapabilities: { what: 'what the platform can do' },
  platformPlaces: { what: 'where the platform has its readiness reports' },
};

const tablesIn = (db: Database) => db.withTables<CapabilityTables>();

const toDate = (text: string | null): Date | undefined => (text === null ? undefined : new Date(text));

export async function readCapability(db: Database, operation: OptionalOperation): Promise<Capability | undefined> {
  const row = await tablesIn(db)
    .selectFrom('platformCapabilities')
    .selectAll()
    .where('operation', '=', operation)
    .executeTakeFirst();
  if (!row) return undefined;
  const { state, since, askedAt, readAt, reason } = row;
  const times = { since: new Date(since), askedAt: new Date(askedAt), readAt: toDate(readAt) };
  return { state, ...times, reason: reason ?? undefined };
}

/**
 * Stores the state after an answer, unless another process has stored one since `before` was read.
 *
 * @returns whether it was stored
 */
export async function storeCapability(
  db: Database,
  operation: OptionalOperation,
  before: Capability | undefined,
  { state, since, askedAt, readAt, reason }: Capability,
): Promise<boolean> {
  const row = {
    state,
    since: since.toISOString(),
    askedAt: askedAt.toISOString(),
    readAt: readAt?.toISOString() ?? null,
    reason: reason ?? null,
  };
  const { numInsertedOrUpdatedRows } = await tablesIn(db)
    .insertInto('platformCapabilities')
    .values({ operation, ...row })
    .onConflict((conflict) =>
      conflict
        .column('operation')
        .doUpdateSet(row)
        .where('platformCapabilities.askedAt', '=', before?.askedAt.toISOString() ?? ''),
    )
    .executeTakeFirstOrThrow();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** Remembers in the store where readiness reports are, for all processes and after a restart. */
export function createStoredPlace(db: Database): PlaceMemory {
  const tables = tablesIn(db);
  return {
    read: async () => {
      const row = await tables.selectFrom('platformPlaces').select('place').executeTakeFirst();
      return READINESS_PLACES.find((place) => place === row?.place);
    },
    remember: async (place) => {
      await tables
        .insertInto('platformPlaces')
        .values({ operation: 'readiness', place })
        .onConflict((conflict) => conflict.column('operation').doUpdateSet({ place }))
        .execute();
    },
  };
}
