import { createCache } from '../../core/base/cache.ts';
import type { Feature, TimelineEvent } from '../../core/feature.ts';
import type { Sentence } from '../../core/slack/people/audience.ts';
import { plain } from '../../core/base/text/markup.ts';
import { dayOf, type Period } from '../../core/base/time/calendar.ts';
import type { ControlsDeps } from './core/controls-deps.ts';
import { authorOf, membersOf, oldestStored, outlinesIn } from './core/revisions.ts';

const MAX_MEMBERS = 2;

/** Returns the changes oldest first; undefined if the stored revisions do not reach back far enough. */
export async function storedChanges(
  { db }: Pick<ControlsDeps, 'db'>,
  period: Period,
): Promise<TimelineEvent[] | undefined> {
  const oldest = await oldestStored(db);
  if (!oldest || dayOf(new Date(oldest.changedAt)) >= period.first) return undefined;
  const rows = await outlinesIn(db, period);
  return rows.map((row) => {
    const members = membersOf(row).map((member) => plain(member).slice(0, 60));
    const more = members.length > MAX_MEMBERS ? ` and ${members.length - MAX_MEMBERS} more` : '';
    const what = members.length > 0 ? `: ${members.slice(0, MAX_MEMBERS).join(', ')}${more}` : '';
    return { day: dayOf(new Date(row.changedAt)), ...sentenceOf(`revision ${row.revision}${what}`, authorOf(row)) };
  });
}

function sentenceOf(what: string, author: string): Sentence {
  return {
    sentence: `the enterprise controls were changed (${what})`,
    named: () => `the enterprise controls were changed by ${author} (${what})`,
  };
}

/** Reads revision and author only, for days before the watch began. Throws `PlatformError`. */
async function readChanges(
  { platform }: Pick<ControlsDeps, 'platform'>,
  { first, last }: Period,
): Promise<TimelineEvent[]> {
  const events: TimelineEvent[] = [];
  // Newest first, so that the history is read only as far back as the period reaches.
  for await (const { revision, user, updatedAt } of platform.controls.eachChange()) {
    const changedAt = new Date(updatedAt ?? '');
    // A time that cannot be parsed belongs to no day.
    if (Number.isNaN(changedAt.getTime())) continue;
    const day = dayOf(changedAt);
    if (day < first) break;
    const who = user?.name || user?.email || 'somebody';
    if (day <= last) events.push({ day, ...sentenceOf(`revision ${revision}`, who) });
  }
  return events.toReversed();
}

/** A morning's digests ask for the same days, and a new change need not show up at once. */
const LIFE_MS = 5 * 60_000;

/** From the stored revisions, or from the platform where they do not reach back far enough. */
export function createTimeline(
  deps: Pick<ControlsDeps, 'db' | 'platform' | 'clock'>,
): NonNullable<Feature['timeline']> {
  const changes = createCache(deps.clock, LIFE_MS, (period: Period) => readChanges(deps, period));
  return async (period) => (await storedChanges(deps, period)) ?? changes.get(period);
}
