import { sql, type Kysely } from 'kysely';
import { calendarPart, dayOf } from '../../core/base/time/calendar.ts';
import { localTimeIn } from '../../core/base/time/zone-rules.ts';
import { ok, warning, type Finding } from './finding.ts';

export interface ZoneRulesReading {
  /** Zones in which Postgres and this Node.js have different local times within the next year. */
  differentInPostgres: readonly string[];
  /** The versions of the rules of the processes that run now. */
  ofReplicas: readonly string[];
  /** The zones of the digests. */
  inUse: readonly string[];
}

const CHECKED_MONTHS = 13;

/** Reads what the store knows; an earlier version of it lacks some of this. */
export async function readZoneRules<T>(
  db: Kysely<T>,
  {
    isPostgres,
    hasColumn,
    now,
  }: { isPostgres: boolean; hasColumn: (table: string, column: string) => boolean; now: Date },
): Promise<ZoneRulesReading> {
  return {
    differentInPostgres: isPostgres ? await findDifferent(db, now) : [],
    ofReplicas: hasColumn('store_heartbeats', 'zone_rules') ? await readReplicas(db, now) : [],
    inUse: hasColumn('subscriptions', 'schedule') ? await readZonesInUse(db) : [],
  };
}

/** A process that runs beats every 15 seconds. */
const RUNNING_MS = 45_000;

async function readReplicas<T>(db: Kysely<T>, now: Date): Promise<string[]> {
  const since = new Date(now.getTime() - RUNNING_MS).toISOString();
  const { rows } = await sql<{ zone_rules: string }>`
    select distinct zone_rules from store_heartbeats
    where zone_rules is not null and stopped_at is null and beat_at > ${since} order by zone_rules`.execute(db);
  return rows.map((row) => row.zone_rules);
}

const SCHEDULED_ZONE = /"zone":"([^"]{1,64})"/;

async function readZonesInUse<T>(db: Kysely<T>): Promise<string[]> {
  const { rows } = await sql<{ schedule: string }>`
    select distinct schedule from subscriptions where state <> 'removed'`.execute(db);
  return [...new Set(rows.flatMap(({ schedule }) => SCHEDULED_ZONE.exec(schedule)?.[1] ?? []))];
}

/** Compares local times on the first of each month. Names that one side does not know are left out. */
async function findDifferent<T>(db: Kysely<T>, now: Date): Promise<string[]> {
  const instants = Array.from({ length: CHECKED_MONTHS }, (_, index) =>
    new Date(`${calendarPart(dayOf(now), 'month', index).first}T12:00:00Z`).toISOString(),
  );
  const zones = Intl.supportedValuesOf('timeZone');
  const { rows } = await sql<{ zone: string; instant: string; local: string }>`
    select names.name as zone, instants.instant, to_char(instants.instant::timestamptz at time zone names.name, 'YYYY-MM-DD HH24:MI') as local
    from pg_timezone_names as names, unnest(${instants}::text[]) as instants(instant)
    where names.name = any(${zones}::text[])`.execute(db);
  const different = rows.filter(({ zone, instant, local }) => localTimeIn(zone, new Date(instant)) !== local);
  return [...new Set(different.map(({ zone }) => zone))].toSorted();
}

const MAX_NAMED = 3;

/** @param version of the rules of this Node.js @param ownZone of the settings */
export function judgeZoneRules(version: string, ownZone: string, reading: ZoneRulesReading | undefined): Finding[] {
  const about = 'time zones';
  const stated = `This Node.js has the rules of ${version}, by which digests are due.`;
  const { differentInPostgres = [], ofReplicas = [], inUse = [] } = reading ?? {};
  const others = ofReplicas.filter((one) => one !== version);
  const used = new Set([ownZone, ...inUse]);
  const usedDifferent = differentInPostgres.filter((zone) => used.has(zone));
  const named = usedDifferent.length > 0 ? usedDifferent : differentInPostgres;
  const rest = named.length > MAX_NAMED ? ` and ${named.length - MAX_NAMED} more` : '';
  const list = `${named.slice(0, MAX_NAMED).join(', ')}${rest}`;
  return [
    others.length > 0
      ? warning(
          about,
          `${stated} A process that uses the store has those of ${others.join(', ')}: run all of them on one version of Node.js, or digests can come an hour early or late.`,
        )
      : ok(about, stated),
    ...(usedDifferent.length > 0
      ? [
          warning(
            about,
            `Postgres has other rules for ${list}, where digests are due. They follow Node.js; your own queries may differ by an hour.`,
          ),
        ]
      : differentInPostgres.length > 0
        ? [ok(about, `Postgres has other rules for ${list}. No digest is due there.`)]
        : []),
  ];
}
