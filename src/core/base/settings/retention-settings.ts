import { z } from 'zod';

/** The default in days, and the minimum that the program works with. */
const KINDS = {
  /** A year, so that a yearly budget adds up, and the nine days in which its last day may still be corrected. */
  people: { usual: 375, least: 40 },
  /** App Home shows thirty days of them. */
  looks: { usual: 90, least: 30 },
  sessions: { usual: 30, least: 1 },
  deliveries: { usual: 90, least: 14 },
  audit: { usual: 730, least: 90 },
};
const MAX_DAYS = 3650;

export type RetentionKind = keyof typeof KINDS;
export type RetentionDays = Readonly<Record<RetentionKind, number>>;

const DEFAULTS: RetentionDays = {
  people: KINDS.people.usual,
  looks: KINDS.looks.usual,
  sessions: KINDS.sessions.usual,
  deliveries: KINDS.deliveries.usual,
  audit: KINDS.audit.usual,
};

const isKind = (word: string): word is RetentionKind => Object.hasOwn(KINDS, word);
export const RETENTION_KINDS = Object.keys(KINDS).filter(isKind);

/**
 * Kinds that are not named keep their defaults.
 *
 * @example retentionDays.parse('people=190') // { people: 190, looks: 90, sessions: 30, deliveries: 90, audit: 730 }
 */
export const retentionDays = z
  .string()
  .max(200, { error: 'is longer than 200 characters' })
  .transform((text, context) => readRetention(text, context))
  .default(DEFAULTS);

function readRetention(text: string, context: z.RefinementCtx): RetentionDays {
  const days: Record<RetentionKind, number> = { ...DEFAULTS };
  const named = new Set<RetentionKind>();
  for (const word of text.split(',').map((part) => part.trim())) {
    const [, kind = '', number = ''] = /^([a-z]+) ?= ?(\d{1,6})$/.exec(word) ?? [];
    if (number === '') context.addIssue(`holds "${word}", which is not a kind and its days such as people=375`);
    else if (!isKind(kind)) context.addIssue(`names "${kind}", which is none of ${RETENTION_KINDS.join(', ')}`);
    else if (named.has(kind)) context.addIssue(`names ${kind} twice`);
    else {
      named.add(kind);
      days[kind] = Number(number);
      const { least } = KINDS[kind];
      if (days[kind] < least || days[kind] > MAX_DAYS)
        context.addIssue(`keeps ${kind} for ${days[kind]} days: it must be from ${least} to ${MAX_DAYS}`);
    }
  }
  return days;
}
