import { createIdentities, keysOf } from '../../../core/analytics/person-credits.ts';
import { notBeforeFirstDay } from '../../../core/analytics/period.ts';
import { createCache } from '../../../core/base/cache.ts';
import type { Logger } from '../../../core/base/log.ts';
import { dayOf, plusDays } from '../../../core/base/time/calendar.ts';
import type { Clock } from '../../../core/base/time/clock.ts';
import { HOUR_MS } from '../../../core/base/time/durations.ts';
import type { Services } from '../../../core/services.ts';
import type { Actor } from './access.ts';

export interface KnownEmails {
  /** Adds all e-mails of the person, so that they cannot decide about themselves under another one. */
  complete<Person extends Omit<Actor, 'role'>>(
    person: Person,
  ): Promise<Person & Pick<Actor, 'otherEmails' | 'areEmailsUnsure'>>;
}

const DAYS = 90;

/** Learns which e-mails belong to one person from the days of the figures, at most once an hour. */
export function createKnownEmails(deps: {
  days: Pick<Services['days'], 'peopleCredits'>;
  clock: Clock;
  log: Logger;
}): KnownEmails {
  const { days, clock, log } = deps;
  const read = async (): Promise<{ isRead: boolean; emailsByAlias: ReadonlyMap<string, readonly string[]> }> => {
    const last = plusDays(dayOf(clock.now()), -1);
    const identities = createIdentities();
    const period = { first: notBeforeFirstDay(plusDays(last, 1 - DAYS)), last };
    const reading = await days.peopleCredits(period, (day) => void identities.learn(day), { maxAgeMs: HOUR_MS });
    if (reading.kind === 'unreadable')
      log.warn({ err: reading.fault }, 'Reading which e-mails belong to one person failed');
    const emailsByAlias = new Map<string, readonly string[]>();
    for (const { identity } of identities.people()) {
      const emails = keysOf(identity);
      if (emails.length > 1) for (const email of emails) emailsByAlias.set(email, emails);
    }
    return { isRead: reading.kind !== 'unreadable', emailsByAlias };
  };
  const cache = createCache(clock, HOUR_MS, read, { isKept: ({ isRead }) => isRead });
  return {
    complete: async (person) => {
      const email = person.email?.toLowerCase();
      if (email === undefined) return { ...person, areEmailsUnsure: true };
      const { isRead, emailsByAlias } = await cache.get('all');
      const otherEmails = emailsByAlias.get(email)?.filter((other) => other !== email);
      return { ...person, ...(otherEmails ? { otherEmails } : {}), ...(isRead ? {} : { areEmailsUnsure: true }) };
    },
  };
}
