import type { TimelineEvent } from '../feature.ts';
import type { Sentence } from '../slack/people/audience.ts';
import { plain } from '../base/text/markup.ts';
import { dayOf, type Period } from '../base/time/calendar.ts';
import type { ControlsDeps } from './core/deps.ts';
import { authorOf, membersOf, oldestKept, outlinesIn } from './core/revisions.ts';

const MAX_MEMBERS = 2;

/**
 * The changes of the enterprise controls in a period, oldest first, from those that are kept.
 *
 * @returns nothing when the kept revisions do not reach back so far
 */
export async function keptChanges(
  { db }: Pick<ControlsDeps, 'db'>,
  period: Period,
): Promise<TimelineEvent[] | undefined> {
  const oldest = await oldestKept(db);
  if (!oldest || dayOf(new Date(oldest.changed_at)) >= period.first) return undefined;
  const rows = await outlinesIn(db, period);
  return rows.map((row) => {
    const members = membersOf(row).map((member) => plain(member).slice(0, 60));
    const more = members.length > MAX_MEMBERS ? ` and ${members.length - MAX_MEMBERS} more` : '';
    const what = members.length > 0 ? `: ${members.slice(0, MAX_MEMBERS).join(', ')}${more}` : '';
    return { day: dayOf(new Date(row.changed_at)), ...sentenceOf(`revision ${row.revision}${what}`, authorOf(row)) };
  });
}

function sentenceOf(what: string, author: string): Sentence {
  return {
    sentence: `the enterprise controls were changed (${what})`,
    named: () => `the enterprise controls were changed by ${author} (${what})`,
  };
}

/**
 * The same from the platform, for days before the watch began: which revision, and by whom.
 *
 * @throws PlatformError
 */
export async function readChanges(
  { platform }: Pick<ControlsDeps, 'platform'>,
  { first, last }: Period,
): Promise<TimelineEvent[]> {
  const found: TimelineEvent[] = [];
  // Newest first, so the history is read no further back than the period reaches.
  for await (const { revision, user, updatedAt } of platform.controls.eachChange()) {
    const changedAt = new Date(updatedAt);
    // A time that cannot be read belongs to no day.
    if (Number.isNaN(changedAt.getTime())) continue;
    const day = dayOf(changedAt);
    if (day < first) break;
    const who = user?.name || user?.email || 'somebody';
    if (day <= last) found.push({ day, ...sentenceOf(`revision ${revision}`, who) });
  }
  return found.toReversed();
}
