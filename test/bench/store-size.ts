import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { sql } from 'kysely';
import { createAnalyticsDays } from '../../src/core/analytics/days.ts';
import { peopleRetention } from '../../src/core/analytics/reading/roll-up.ts';
import { daysOf, plusDays, weekdayOf, type Day } from '../../src/core/base/time/calendar.ts';
import { noCheckpoint } from '../../src/core/base/checkpoint.ts';
import { createLogger } from '../../src/core/base/log.ts';
import { deliveryRetention } from '../../src/core/outbox/forget.ts';
import { createPlatformClient } from '../../src/core/platform/client.ts';
import { createPruning } from '../../src/features/retention/prune.ts';
import type { RetentionTables } from '../../src/features/retention/table.ts';
import { createMovableClock } from '../../src/sandbox/demo/movable-clock.ts';
import { startPlatform } from '../../src/sandbox/platform/platform.ts';
import { auditRetention } from '../../src/core/store/audit.ts';
import { openStore } from '../../src/core/store/database.ts';
import { overrideStoreTime } from '../../src/core/store/lease.ts';
import type { Store } from '../../src/core/store/store.ts';
import type { Result } from './reports.ts';

const FIRST = '2026-01-14';
const DAYS = 365;
const LAST = plusDays(FIRST, DAYS - 1);
/** Each day of this week represents its weekday. */
const WEEK = { first: '2026-03-02', last: '2026-03-08' };
const NOW = new Date(`${plusDays(LAST, 1)}T07:00:00Z`);
const DELIVERIES_A_DAY = 200;
const STEPS = ['planned', 'posting', 'sent'];
const AUDIT_A_DAY = 100;
const KEPT_DAYS = [375, 190, 90];
const MB = 1024 ** 2;

interface Size {
  fileMb: number;
  usedMb: number;
}

/** The size of an organization's store after a year, before and after its people are deleted. */
export async function reportStoreSize(people: number): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'quartermaster-bench-'));
  const path = join(folder, 'bench.db');
  const store = await openStore(`file:${path}`);
  await fillAnalytics(store, people);
  for (const day of daysOf({ first: FIRST, last: LAST })) await fillMessages(store, day);
  const before = await sizeOf(store, path);
  const lines = [`The store of ${people} people after ${DAYS} days (SQLite):`, describe('before', before)];
  const runs: (Size & { people: number; totalMs: number; stallMs: number })[] = [];
  for (const keptDays of KEPT_DAYS) {
    const { totalMs, stallMs } = await prune(store, keptDays);
    const size = await sizeOf(store, path);
    runs.push({ people: keptDays, totalMs, stallMs, ...size });
    lines.push(
      `${describe(`people=${keptDays}`, size)}; the run took ${totalMs} ms, the event loop at most ${stallMs} ms`,
    );
  }
  await store.close();
  rmSync(folder, { recursive: true });
  return { figures: { storeSize: { people, before, runs } }, lines, faults: [] };
}

const describe = (name: string, { fileMb, usedMb }: Size) =>
  `  ${name.padEnd(12)} ${usedMb} MB used, the file ${fileMb} MB`;

/**
 * One week as the bot reads it from the platform, and copies of its days under the other dates: with the same texts, of
 * the same length.
 */
async function fillAnalytics({ db }: Store, people: number): Promise<void> {
  const clock = createMovableClock(new Date('2026-03-20T07:00:00Z'), { frozen: true });
  const platform = await startPlatform({ clock, people });
  const client = createPlatformClient({ ...platform, apiKey: platform.apiKeys.manager, clock });
  const days = createAnalyticsDays({ platform: client, db, clock, log: createLogger('silent', []), peopleDays: 375 });
  const parts = [
    await days.credits(WEEK),
    await days.dailyCredits(WEEK),
    await days.tools(WEEK),
    await days.activity(WEEK),
    await days.productivity(WEEK),
    await days.users(WEEK, () => {}),
  ];
  if (parts.some(({ kind }) => kind === 'unreadable')) throw new Error('The week could not be read');
  await client.close();
  await platform.close();
  clock.dispose();
  const week = await db.selectFrom('analyticsDays').selectAll().execute();
  const byWeekday = Map.groupBy(week, ({ day }) => weekdayOf(day));
  const columns = await db.selectFrom('analyticsColumns').selectAll().execute();
  for (const day of daysOf({ first: FIRST, last: LAST })) {
    if (day >= WEEK.first && day <= WEEK.last) continue;
    await db.transaction().execute(async (trx) => {
      for (const row of byWeekday.get(weekdayOf(day)) ?? []) {
        const facts = row.facts.replaceAll(row.day, day);
        await trx
          .insertInto('analyticsDays')
          .values({ ...row, day, facts })
          .execute();
      }
      for (const row of columns.filter((each) => weekdayOf(each.day) === weekdayOf(day)))
        await trx
          .insertInto('analyticsColumns')
          .values({ ...row, day })
          .execute();
    });
  }
}

/** Digests and other messages, each with its history, and the audit entries of a day. */
async function fillMessages({ db }: Store, day: Day): Promise<void> {
  const at = `${day}T09:00:00.000Z`;
  const numbers = Array.from({ length: DELIVERIES_A_DAY }, (_, index) => index);
  const deliveries = numbers.map((index) => ({
    key: `digest:k${index}:${day}`,
    kind: 'digest',
    channel: `C0${index}`,
    payload: JSON.stringify({ subscriptionId: `k${index}`, cadence: 'daily', period: { first: day, last: day } }),
    state: 'sent' as const,
    attempts: 1,
    dueAt: at,
    nextAttemptAt: at,
    sentAt: at,
    createdAt: at,
    messageChannel: `C0${index}`,
    messageTs: `17${index}.000100`,
    memo: 'x'.repeat(600),
  }));
  const history = deliveries.flatMap(({ key }) =>
    STEPS.map((step, position) => ({ deliveryKey: key, position, at, step, detail: `due ${at}` })),
  );
  const audit = Array.from({ length: AUDIT_A_DAY }, (_, index) => ({
    about: `limits:${day}-${index}`,
    position: 0,
    at,
    actor: 'U0MORGAN',
    action: 'approved',
    detail: '1 person: a migration',
  }));
  await db.transaction().execute(async (trx) => {
    await trx.insertInto('deliveries').values(deliveries).execute();
    await trx.insertInto('deliveryHistory').values(history).execute();
    await trx.insertInto('audit').values(audit).execute();
  });
}

/** Repeats turns until the run of the day has ended. */
async function prune({ db }: Store, keptDays: number): Promise<{ totalMs: number; stallMs: number }> {
  const clock = createMovableClock(NOW);
  overrideStoreTime(db, () => clock.now());
  await db.withTables<RetentionTables>().deleteFrom('retentionRuns').execute();
  const lines: string[] = [];
  const run = createPruning({
    db,
    clock,
    log: createLogger('info', [], (line) => void lines.push(line)),
    checkpoint: noCheckpoint,
    days: { people: keptDays, looks: 30, sessions: 30, deliveries: 90, audit: 730 },
    retentions: () => [peopleRetention, deliveryRetention({}), auditRetention],
    onRemoved: () => {},
  });
  let stallMs = 0;
  let last = performance.now();
  const watch = setInterval(() => {
    stallMs = Math.max(stallMs, performance.now() - last - 2);
    last = performance.now();
  }, 2);
  const startedAt = performance.now();
  while (lines.length === 0) {
    await run();
    clock.moveTo(new Date(clock.now().getTime() + 60_000));
  }
  const totalMs = performance.now() - startedAt;
  clearInterval(watch);
  clock.dispose();
  return { totalMs: Math.round(totalMs), stallMs: Math.round(stallMs) };
}

async function sizeOf({ db }: Store, path: string): Promise<Size> {
  await sql`pragma wal_checkpoint(truncate)`.execute(db);
  const read = async (pragma: string) => {
    const { rows } = await sql<Record<string, number>>`${sql.raw(`pragma ${pragma}`)}`.execute(db);
    return Object.values(rows[0] ?? {})[0] ?? 0;
  };
  const [pages, free, bytes] = [await read('page_count'), await read('freelist_count'), await read('page_size')];
  return { fileMb: Math.round(statSync(path).size / MB), usedMb: Math.round(((pages - free) * bytes) / MB) };
}
