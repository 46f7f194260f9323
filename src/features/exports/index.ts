import type { Kysely } from 'kysely';
import { dayStateOf } from '../../core/analytics/reading/day-store.ts';
import { notBeforeFirstDay } from '../../core/analytics/period.ts';
import { dayOf, daysOf, plusDays, type Day } from '../../core/base/time/calendar.ts';
import type { Price } from '../../core/base/text/numbers.ts';
import { NO_PRICES, readPriceList } from '../../core/figures/money/price-list.ts';
import type { Feature } from '../../core/feature.ts';
import { createBackgroundJob } from '../../core/schedule/background-job.ts';
import type { Services } from '../../core/services.ts';
import { leaseIsOver, storeNow } from '../../core/store/lease.ts';
import { readIdentity } from '../../core/store/identity.ts';
import type { Tables } from '../../core/store/tables.ts';
import { newestManifests, removeUnfinished, writeDay, type ExportedPrice } from './files.ts';
import {
  EXPORTED_RESOURCES,
  hasCredits,
  hidePeople,
  readDay,
  showPerson,
  type ExportedResource,
  type HidePerson,
} from './rows.ts';
import type { ExportTables } from './table.ts';

export type ExportServices = Pick<Services, 'db' | 'days' | 'clock' | 'log' | 'checkpoint'> & {
  config: Pick<Services['config'], 'exports'>;
};

/** In UTC. The platform’s nightly figures are published by this hour. */
const NIGHT_ENDS_AT_HOUR = 4;
/** The number of days checked each night; for complete and settled days, only the manifest. */
const CHECKED_DAYS = 35;
const LEASE_MS = 30 * 60_000;

export function createExportsFeature(services: ExportServices): Feature {
  const { exports } = services.config;
  if (!exports) return { name: 'exports' };
  const plan = { name: 'export-days', cron: '* * * * *', purpose: 'writes the files of `EXPORT_DIR` once a night' };
  const exporting = createBackgroundJob(plan, services.log, (signal) => exportNight(services, exports, signal));
  return { name: 'exports', jobs: [exporting.job], stop: () => exporting.stop() };
}

export type ExportSettings = NonNullable<Services['config']['exports']>;

const tablesIn = (db: Kysely<Tables>) => db.withTables<ExportTables>();

async function exportNight(services: ExportServices, settings: ExportSettings, signal: AbortSignal): Promise<void> {
  const { db, clock, log } = services;
  const now = clock.now();
  if (now.getUTCHours() < NIGHT_ENDS_AT_HOUR) return;
  const night = dayOf(now);
  if (!(await claimNight(db, night))) return;
  const hide = settings.hashesPeople ? hidePeople(await readIdentity(db)) : showPerson;
  let fileCount = 0;
  let isComplete = true;
  for (const resource of EXPORTED_RESOURCES) {
    removeUnfinished(settings.directory, resource);
    const renewLease = async () => {
      signal.throwIfAborted();
      await renewNightLease(db, night);
    };
    const outcome = await exportResource(services, settings, { resource, hide, renewLease });
    fileCount += outcome.fileCount;
    isComplete &&= outcome.isComplete;
  }
  log.info({ written: fileCount, isComplete }, 'Exported days');
  // Days that could not be read are retried after the lease ends.
  if (isComplete)
    await tablesIn(db)
      .updateTable('exportNights')
      .set({ finishedAt: clock.now().toISOString() })
      .where('night', '=', night)
      .execute();
}

async function claimNight(db: Kysely<Tables>, night: Day): Promise<boolean> {
  const nights = tablesIn(db);
  await nights
    .insertInto('exportNights')
    .values({ night, leasedUntil: null, finishedAt: null })
    .onConflict((conflict) => conflict.column('night').doNothing())
    .execute();
  const claimed = await nights
    .updateTable('exportNights')
    .set({ leasedUntil: storeNow(db, LEASE_MS) })
    .where('night', '=', night)
    .where('finishedAt', 'is', null)
    .where(leaseIsOver(db, LEASE_MS))
    .executeTakeFirst();
  return claimed.numUpdatedRows === 1n;
}

/** The first night reads weeks of figures for every person, which may take longer than one lease. */
async function renewNightLease(db: Kysely<Tables>, night: Day): Promise<void> {
  const lease = { leasedUntil: storeNow(db, LEASE_MS) };
  await tablesIn(db).updateTable('exportNights').set(lease).where('night', '=', night).execute();
}

const exportedPrice = (price: Price | undefined): ExportedPrice =>
  price ? { price_per_million: price.perMillion, currency: price.currency } : {};

async function exportResource(
  { db, days, clock, log, checkpoint }: ExportServices,
  { directory, hashesPeople }: ExportSettings,
  { resource, hide, renewLease }: { resource: ExportedResource; hide: HidePerson; renewLease: () => Promise<void> },
): Promise<{ fileCount: number; isComplete: boolean }> {
  const today = dayOf(clock.now());
  const newest = newestManifests(directory, resource);
  const people = resource !== 'users' ? 'none' : hashesPeople ? 'by hash' : 'by e-mail';
  let fileCount = 0;
  let isComplete = true;
  const prices = hasCredits(resource) ? await readPriceList(db) : NO_PRICES;
  const first = notBeforeFirstDay(plusDays(today, -CHECKED_DAYS));
  for (const day of daysOf({ first, last: plusDays(today, -1) })) {
    const newestManifest = newest.get(day);
    const price = exportedPrice(prices.on(day));
    const isCurrent =
      newestManifest?.people === people &&
      newestManifest.price_per_million === price.price_per_million &&
      newestManifest.currency === price.currency;
    if (isCurrent && newestManifest.day_state === 'settled') continue;
    await renewLease();
    const reading = await readDay(days, resource, day, hide);
    if (reading.kind === 'unreadable') {
      log.warn({ err: reading.fault, resource, day }, 'Exporting a day failed; it is tried again');
      isComplete = false;
    }
    if (reading.kind !== 'read') continue;
    const dayState = dayStateOf(day, true, today) === 'settled' ? 'settled' : 'fresh';
    await checkpoint('exports:before_file');
    const { isNew } = await writeDay(directory, { resource, day }, newestManifest, {
      ...reading,
      dayState,
      people,
      price,
    });
    await checkpoint('exports:after_file');
    if (isNew) fileCount += 1;
  }
  return { fileCount, isComplete };
}
