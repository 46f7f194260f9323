import { dayName, dayNumber } from './calendar.ts';
import type { Organization } from './organization.ts';
import { wasActive } from './person-day.ts';

interface WireMember {
  id: string;
  email: string;
  firstName: string;
  lastName: string;
  createdAt: string;
  lastSignInAt?: string;
  metadata: Record<string, string>;
}

/** The days in which a last sign-in is looked for. */
const SEARCHED_DAYS = 60;

/** Everybody with a seat (today). They sign in on the days on which they are active: the simulator's own choice. */
export function membersOf(organization: Organization, now: Date): WireMember[] {
  const today = dayNumber(now.toISOString().slice(0, 10));
  return organization.people.flatMap((person) => {
    const { id, email, name, habits } = person;
    if (email === null || habits.firstDay > today) return [];
    const [firstName = '', ...rest] = name.split(' ');
    const days = Array.from({ length: SEARCHED_DAYS }, (_, back) => today - 1 - back);
    const lastDay = days.find((day) => wasActive(organization, person, day));
    return [
      {
        id,
        email,
        firstName,
        lastName: rest.join(' '),
        createdAt: `${dayName(habits.firstDay)}T08:00:00.000Z`,
        ...(lastDay === undefined ? {} : { lastSignInAt: `${dayName(lastDay)}T09:00:00.000Z` }),
        metadata: {},
      },
    ];
  });
}
