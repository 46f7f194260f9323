import type { Clock } from '../../clock.ts';
import { dayName, dayNumber, dayOf, FIRST_DAY, startOfDayMs } from './calendar.ts';
import { type DayFigures, foldDay } from './day-figures.ts';
import type { Organization } from './organization.ts';
import { wasActive } from './person-day.ts';

/** The number of cached rows of people; other days are computed again on each request. */
const MAX_CACHED_ROWS = 300_000;
const DEFAULT_PUBLISH_DELAY_MS = 2 * 3_600_000;

/** Unique people in the trailing 1, 7 and 30 days. */
interface ActiveUsers {
  daily: number;
  weekly: number;
  monthly: number;
}

export interface Figures {
  publishedDays(first: number, last: number): number[];
  isPublished(day: number): boolean;
  ofDay(day: number): DayFigures;
  activeUsers(day: number): ActiveUsers;
  holdDay(day: string): void;
  releaseDay(day: string): void;
  reviseDay(day: string, factor: number): void;
  heldDays(): string[];
  revisedDays(): Record<string, number>;
}

export interface FiguresSettings {
  organization: Organization;
  clock: Clock;
  /** The delay of publication after the end of a day (UTC). Default: two hours. */
  publishDelayMs?: number | undefined;
}

export function createFigures({
  organization,
  clock,
  publishDelayMs = DEFAULT_PUBLISH_DELAY_MS,
}: FiguresSettings): Figures {
  const held = new Set<number>();
  const factors = new Map<number, number>();
  const revised = new Map<number, DayFigures>();
  const { usual, activeUsers } = figureCacheOf(organization);

  const isPublished = (day: number) =>
    day >= FIRST_DAY && !held.has(day) && clock.now().getTime() >= startOfDayMs(day + 1) + publishDelayMs;
  const ofDay = (day: number) => {
    const factor = factors.get(day);
    const cache = factor === undefined ? usual : revised;
    const figures = cache.get(day) ?? foldDay(organization, day, factor ?? 1);
    // Re-inserted at the end: the map keeps its order, so its first entry is the least recently used.
    cache.delete(day);
    cache.set(day, figures);
    dropOldest(cache);
    return figures;
  };
  return {
    isPublished,
    publishedDays: (first, last) =>
      Array.from({ length: Math.max(0, last - first + 1) }, (_, offset) => first + offset).filter(isPublished),
    ofDay,
    activeUsers,
    holdDay: (day) => void held.add(dayNumber(day)),
    releaseDay: (day) => void held.delete(dayNumber(day)),
    reviseDay: (day, factor) => {
      factors.set(dayNumber(day), factor);
      revised.delete(dayNumber(day));
    },
    heldDays: () => [...held].toSorted((a, b) => a - b).map(dayName),
    revisedDays: () => Object.fromEntries([...factors].map(([day, factor]) => [dayName(day), factor])),
  };
}

interface FigureCache {
  /** Days without a revision. */
  usual: Map<number, DayFigures>;
  activeUsers: (day: number) => ActiveUsers;
}

const cacheByOrganization = new WeakMap<Organization, FigureCache>();

/** Computed figures of an organization are the same for every platform that has it. */
function figureCacheOf(organization: Organization): FigureCache {
  const cache = cacheByOrganization.get(organization) ?? {
    usual: new Map(),
    activeUsers: createActiveUsers(organization),
  };
  cacheByOrganization.set(organization, cache);
  return cache;
}

/** Returns the last complete day, published or not. */
export function yesterday(clock: Clock): number {
  return dayOf(clock.now()) - 1;
}

function dropOldest(cache: Map<number, DayFigures>): void {
  let rows = [...cache.values()].reduce((sum, { users }) => sum + users.size, 0);
  for (const [day, { users }] of cache) {
    if (rows <= MAX_CACHED_ROWS || cache.size === 1) return;
    cache.delete(day);
    rows -= users.size;
  }
}

/**
 * Counts unique people, whether or not their days are published: a late day does not change the weeks of earlier days. (The
 * simulator's own choice.)
 */
function createActiveUsers(organization: Organization): (day: number) => ActiveUsers {
  const activity = new Map<number, Uint8Array>();
  const activeOn = (day: number) => {
    const cachedFlags = activity.get(day);
    if (cachedFlags) return cachedFlags;
    const flags = Uint8Array.from(organization.people, (person) => Number(wasActive(organization, person, day)));
    activity.set(day, flags);
    return flags;
  };
  const unique = (day: number, window: number) => {
    const seen = new Uint8Array(organization.people.length);
    for (let each = Math.max(FIRST_DAY, day - window + 1); each <= day; each += 1) {
      const flags = activeOn(each);
      for (let index = 0; index < seen.length; index += 1) seen[index] = (seen[index] ?? 0) | (flags[index] ?? 0);
    }
    return seen.reduce((sum, flag) => sum + flag, 0);
  };
  const counts = new Map<number, ActiveUsers>();
  return (day) => {
    const activeUsers = counts.get(day) ?? { daily: unique(day, 1), weekly: unique(day, 7), monthly: unique(day, 30) };
    counts.set(day, activeUsers);
    return activeUsers;
  };
}
