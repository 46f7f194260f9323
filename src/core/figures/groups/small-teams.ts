import { readPeopleByDay } from '../../analytics/amounts.ts';
import { notBeforeFirstDay, todayOf } from '../../analytics/period.ts';
import { plusDays } from '../../base/time/calendar.ts';
import type { GateDeps } from './gate.ts';

/** The forms of digests and budgets count the people who were active in these days. */
const RECENT_DAYS = 28;
const MAX_AGE_MS = 60 * 60_000;

/** Returns undefined if enough people were active or nothing can be read; says how many only if `seesPeople`. */
export async function smallTeamWords(
  deps: GateDeps,
  { label, emails }: { label: string; emails: readonly string[] },
  { seesPeople }: { seesPeople: boolean },
): Promise<string | undefined> {
  const { minGroup } = deps.config;
  const active = minGroup > 1 ? await countRecentlyActive(deps, emails) : minGroup;
  if (active === undefined || active >= minGroup) return undefined;
  const rule = `Totals for fewer than ${minGroup} people aren’t posted to channels`;
  if (!seesPeople)
    return `Fewer than ${minGroup} of ${label} were active in the last ${RECENT_DAYS} days. ${rule}. Choose a larger team, or ask a person who may see individual figures.`;
  const verb = active === 1 ? 'was' : 'were';
  const number = active === 0 ? 'None' : active;
  return `${number} of ${label} ${verb} active in the last ${RECENT_DAYS} days. ${rule}. Include names, or send it to yourself.`;
}

async function countRecentlyActive(deps: GateDeps, emails: readonly string[]): Promise<number | undefined> {
  const today = todayOf(deps);
  const period = { first: notBeforeFirstDay(plusDays(today, -RECENT_DAYS)), last: plusDays(today, -1) };
  const read = await readPeopleByDay(deps.days, period, { maxAgeMs: MAX_AGE_MS });
  if (read.kind === 'unreadable') return undefined;
  const { credits, keyByEmail } = read.people;
  const keys = new Set(emails.map((email) => keyByEmail.get(email.toLowerCase()) ?? email));
  return [...keys].filter((key) => credits.get(key)?.some((amount) => amount > 0)).length;
}
