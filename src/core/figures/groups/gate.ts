import { isPersonAddress } from '../../outbox/reader.ts';
import type { Audience } from '../../slack/people/audience.ts';
import { createPeopleReader, type PeopleByDay, type ReadPeople } from '../../analytics/amounts.ts';
import { notBeforeFirstDay } from '../../analytics/period.ts';
import { daysOf, plusDays, type Day, type Period } from '../../base/time/calendar.ts';
import { eachInTurns, inOwnTurn } from '../../base/time/turns.ts';
import type { PlatformError } from '../../platform/errors.ts';
import type { Services } from '../../services.ts';
import { createCellFinder, isSafe, overlap, stretchesOf, type Activity, type ShownSum } from './cells.ts';
import type { GroupSum } from '../../base/privacy/disclosure.ts';
import { revealsSum, hullOf, MAX_SUMS } from './shown-sums.ts';
import { storeSums, listSums, readVersion } from './group-store.ts';

export interface GateDeps extends Pick<Services, 'db' | 'clock' | 'plannedSums'> {
  days: Pick<Services['days'], 'peopleCredits'>;
  config: Pick<Services['config'], 'minGroup'>;
}

/**
 * `few`: too few people of the group were active; `close`: it differs from groups shown earlier by too few people;
 * `full`: too many groups were shown; `gaps`: a day between others is not published yet; `planned`: a channel could
 * not get its planned message afterwards; `preview`: a preview shows nothing new to this reader.
 */
export type GateRefusal = 'few' | 'close' | 'full' | 'gaps' | 'planned' | 'preview';

/**
 * `channel`: all its members get the sums. `person`: one reader without the right to see single people gets them, which
 * must not stop a planned message of a channel. `preview`: one reader sees what a channel would get, and nothing is
 * recorded: to a reader who may see single people it reveals nothing, and others see only sums that were shown before.
 * `forecast`: nobody sees it. Days like those of a planned message tell whether it will probably be shown: nothing is
 * recorded, and sums that were shown for these days say nothing about its own.
 */
export type ShownTo = { kind: 'channel' | 'person' | 'forecast' } | { kind: 'preview'; seesPeople: boolean };

/** Of a message. @param address a channel or a person */
export const shownToAddress = (address: string): ShownTo => ({ kind: isPersonAddress(address) ? 'person' : 'channel' });

/** Of an answer. @param readers whose names it may show */
export const shownToReaders = ({ kind }: Pick<Audience, 'kind'>): ShownTo => ({
  kind: kind === 'channel' ? 'channel' : 'person',
});

export interface GateOptions {
  shownTo: ShownTo;
  /** Shows nothing until all days are published, so that no sum of some days is stored. */
  requiresAllDays?: boolean;
  /** Refuses what would stop a planned message of a channel, as for a person: for details that are not essential. */
  sparesPlanned?: boolean;
  /** For several checks and amounts of one message. */
  readPeople?: ReadPeople;
}

export type GateVerdict =
  /** The admitted alternative, with its sums that are stored as shown. */
  | { kind: 'shown'; index: number; sums: readonly GroupSum[] }
  | { kind: 'refused'; reason: GateRefusal }
  /** Only with `requiresAllDays`: some days are not published. */
  | { kind: 'unpublished' }
  | { kind: 'unreadable'; fault: PlatformError };

const MAX_TRIES = 20;
/** People without figures in this many earlier days are taken to be absent. */
const KNOWN_DAYS = 28;
const MAX_AGE_MS = 10 * 60_000;

/**
 * Stores the chosen alternative before it is shown. All readers without the right to see single people count as one,
 * because they can talk to each other.
 * @param alternatives the best first; the sums of each are shown together or not at all
 */
export async function allowAndRecordSums(
  deps: GateDeps,
  alternatives: readonly (readonly GroupSum[])[],
  options: GateOptions,
): Promise<GateVerdict> {
  if (deps.config.minGroup <= 1) return { kind: 'shown', index: 0, sums: [] };
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const verdict = await allowAndRecordOnce(deps, alternatives, options);
    if (verdict) return verdict;
  }
  throw new Error('Too many concurrent requests for groups');
}

/** @returns undefined if another process was faster */
async function allowAndRecordOnce(
  deps: GateDeps,
  alternatives: readonly (readonly GroupSum[])[],
  {
    requiresAllDays,
    sparesPlanned,
    shownTo,
    readPeople = createPeopleReader(deps.days, { maxAgeMs: MAX_AGE_MS }),
  }: GateOptions,
): Promise<GateVerdict | undefined> {
  const version = await readVersion(deps.db);
  const hull = hullOf(alternatives.flat().map(({ period }) => period));
  if (!hull) return { kind: 'refused', reason: 'few' };
  const near = shownTo.kind === 'forecast' ? [] : await listSums(deps.db, hull, MAX_SUMS);
  const allPlanned = shownTo.kind === 'person' || sparesPlanned ? await deps.plannedSums() : [];
  const planned = allPlanned.filter(({ period }) => overlap(period, hull));
  const wide = near && hullOf([hull, ...[...near, ...planned].map(({ period }) => period)]);
  const earlierSums = shownTo.kind === 'forecast' ? [] : wide && (await listSums(deps.db, wide, MAX_SUMS));
  if (!wide || !earlierSums) return { kind: 'refused', reason: 'full' };
  const range = { first: notBeforeFirstDay(plusDays(wide.first, -KNOWN_DAYS)), last: wide.last };
  const read = await readPeople(range);
  if (read.kind === 'unreadable') return read;
  const facts = factsOf(read.people, read.period);
  const hasUnpublishedDays = alternatives
    .flat()
    .some(({ period }) => daysOf(period).some((day) => !facts.published.has(day)));
  if (requiresAllDays && hasUnpublishedDays) return { kind: 'unpublished' };
  let reason: GateRefusal = 'few';
  for (const [index, sums] of alternatives.entries()) {
    const publishedParts = sums.map((sum) => publishedPart(sum, facts));
    if (publishedParts.includes('gaps')) {
      reason = 'gaps';
      continue;
    }
    const published = publishedParts.filter((sum) => typeof sum === 'object');
    const newSums = published.filter((sum) => !earlierSums.some((one) => revealsSum(one, sum)));
    if (newSums.length === 0) return { kind: 'shown', index, sums: published };
    if (await areSafe(deps, earlierSums, newSums, facts)) {
      if (shownTo.kind === 'forecast') return { kind: 'shown', index, sums: published };
      if (shownTo.kind === 'preview') {
        if (shownTo.seesPeople) return { kind: 'shown', index, sums: published };
        reason = 'preview';
        continue;
      }
      if (await stopsOne(deps, planned, { earlierSums, newSums }, facts)) {
        reason = 'planned';
        continue;
      }
      const isStored = await deps.db.transaction().execute((trx) => storeSums(trx, newSums, version, deps.clock.now()));
      return isStored ? { kind: 'shown', index, sums: published } : undefined;
    }
    reason = (await areSafe(deps, [], newSums, facts)) ? 'close' : 'few';
  }
  return { kind: 'refused', reason };
}

interface Facts {
  activity: Activity;
  keyOf: (email: string) => string;
  published: ReadonlySet<Day>;
}

function factsOf({ credits, keyByEmail, published }: PeopleByDay, period: Period): Facts {
  const places = new Map(daysOf(period).map((day, place) => [day, place]));
  return {
    activity: {
      everybody: [...credits.keys()],
      isActive: (person, day) => (credits.get(person)?.[places.get(day) ?? -1] ?? 0) > 0,
    },
    keyOf: (email) => keyByEmail.get(email) ?? email,
    published: new Set(published.map(({ day }) => day)),
  };
}

/** A sum with a day that is published later is another sum. Returns `gaps` if days between others are missing. */
function publishedPart({ emails, period, isByDay }: GroupSum, { published }: Facts): GroupSum | 'nothing' | 'gaps' {
  const days = daysOf(period).filter((day) => published.has(day));
  const [first] = days;
  const last = days.at(-1);
  if (first === undefined || last === undefined) return 'nothing';
  const part = { emails: [...new Set(emails)].toSorted(), period: { first, last }, isByDay };
  return daysOf(part.period).length === days.length ? part : 'gaps';
}

/**
 * Whether a planned message could not be sent after the new sums were shown. Of days that are not published, nobody
 * knows yet who will be active on them, so no sum of other people or other days may be shown beside them.
 */
async function stopsOne(
  deps: GateDeps,
  planned: readonly GroupSum[],
  { earlierSums, newSums }: Readonly<Record<'earlierSums' | 'newSums', readonly GroupSum[]>>,
  facts: Facts,
): Promise<boolean> {
  for (const sum of planned) {
    if (!newSums.some(({ period }) => overlap(period, sum.period))) continue;
    if (daysOf(sum.period).some((day) => !facts.published.has(day))) return true;
    const isSafeNow = await areSafe(deps, earlierSums, [sum], facts);
    if (isSafeNow && !(await areSafe(deps, [...earlierSums, ...newSums], [sum], facts))) return true;
  }
  return false;
}

async function areSafe(
  { config }: GateDeps,
  earlierSums: readonly GroupSum[],
  newSums: readonly GroupSum[],
  { activity, keyOf }: Facts,
): Promise<boolean> {
  // The store returns the same array for all sums of the same people, so each set is built once.
  const sets = new Map<readonly string[], ReadonlySet<string>>();
  const toShownSum = ({ emails, period, isByDay }: GroupSum): ShownSum => {
    const people = sets.get(emails) ?? new Set(emails.map((email) => keyOf(email)));
    sets.set(emails, people);
    return { people, period, isByDay };
  };
  const near = earlierSums.filter(({ period }) => newSums.some((one) => overlap(one.period, period)));
  const wide = hullOf([...near, ...newSums].map(({ period }) => period));
  const related = wide ? earlierSums.filter(({ period }) => overlap(period, wide)) : [];
  const before = await inOwnTurn(() => related.map((sum) => toShownSum(sum)));
  const after = await inOwnTurn(() => newSums.map((sum) => toShownSum(sum)));
  const findCells = createCellFinder(activity.everybody);
  for await (const stretch of eachInTurns(stretchesOf(before, after))) {
    if (!isSafe(stretch, activity, config.minGroup, findCells)) return false;
  }
  return true;
}
