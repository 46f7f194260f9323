import { dayNumber } from '../../src/sandbox/platform/model/calendar.ts';
import { foldDay } from '../../src/sandbox/platform/model/day-figures.ts';
import type { Organization } from '../../src/sandbox/platform/model/organization.ts';
import { daysOf, type Period } from '../../src/core/base/time/calendar.ts';

/** The generator's figures of a period, computed without the platform's answers. */
export function predict(organization: Organization, period: Period) {
  const days = daysOf(period).map((day) => foldDay(organization, dayNumber(day), 1));
  const people = new Map<string, number>();
  for (const day of days) {
    for (const row of day.users.values()) {
      const key = row.user_email?.toLowerCase() ?? row.user_id;
      people.set(key, (people.get(key) ?? 0) + row.billable_tokens);
    }
  }
  const total = (measure: (day: (typeof days)[number]) => number) => days.reduce((sum, day) => sum + measure(day), 0);
  return {
    credits: total((day) => day.tokens.billable_tokens),
    sessions: total((day) => day.sessions),
    messages: total((day) => day.messages),
    commits: total((day) => Number(day.productivity['git_commits'])),
    pullRequests: total((day) => Number(day.productivity['git_prs_created'])),
    filesCreated: total((day) => Number(day.productivity['files_created'])),
    filesEdited: total((day) => Number(day.productivity['files_edited'])),
    people,
  };
}
