import { z } from 'zod';
import type { AnalyticsDays } from '../../../core/analytics/days.ts';
import { type AmountsByDay, type CreditsByDay, readPeopleByDay } from '../../../core/analytics/amounts.ts';
import { notBeforeFirstDay } from '../../../core/analytics/period.ts';
import { outliersOf } from './outliers.ts';
import { statedSentence } from '../../../core/slack/blocks/faults.ts';
import type { Names } from '../../../core/base/privacy/disclosure.ts';
import { dayOf, plusDays, type Day } from '../../../core/base/time/calendar.ts';

/** Further people are summed up, because a card is read on a phone. */
export const MAX_PEOPLE_SHOWN = 5;
/** Matches the number of people with their own field in the review, so that each can be marked. */
const MAX_OUTLIERS = 20;
/** Two more than are shown, in case the last days are not published yet. */
export const DAYS_READ = 30;
export const LONG_DAYS = 28;
const SHORT_DAYS = 7;
/** Within this time, all copies and edits of a card show the same figures. */
const MAX_AGE_MS = 10 * 60_000;

const personSchema = z.object({
  email: z.string(),
  short: z.number(),
  /** For the days before the short period; null if too few were published. */
  before: z.number().nullable(),
  long: z.number(),
  /** 1 is the tenth of people with the most credits; null without credits. */
  decile: z.number().nullable(),
});
export type PersonEvidence = z.infer<typeof personSchema>;

export const evidenceSchema = z.object({
  readAt: z.iso.datetime(),
  /** The newest published day. */
  lastDay: z.string(),
  shortDays: z.number(),
  longDays: z.number(),
  /** The number of people with credits in the long period. */
  peopleWithCredits: z.number(),
  /** Each person if there are few; otherwise empty. */
  people: z.array(personSchema),
  total: z.object({
    people: z.number(),
    short: z.number(),
    long: z.number(),
    withoutCredits: z.number(),
    asked: z.number(),
  }),
  /** The number of people who would get nothing, or less than they used in the long period. */
  belowUse: z.number(),
  /** The most extreme amounts that need attention. */
  outliers: z.array(
    z.object({ email: z.string(), amount: z.number(), used: z.number(), kind: z.enum(['below_use', 'far_above']) }),
  ),
});
export type Evidence = z.infer<typeof evidenceSchema>;

export interface LimitChange {
  email: string;
  amount: number;
}

export type EvidenceReading =
  | { kind: 'read'; evidence: Evidence }
  /** The platform has not published any day. */
  | { kind: 'nothing' }
  /** The readers may not see the use of individuals. */
  | { kind: 'withheld' }
  | { kind: 'unreadable'; sentence: string };

export type UseReading =
  | {
      kind: 'read';
      readAt: string;
      lastDay: Day;
      /** One value per day for each person. */
      credits: CreditsByDay;
      /** The key in `credits` for each e-mail of a person. */
      keyByEmail: ReadonlyMap<string, string>;
      /** The indexes of published days, newest first. */
      published: readonly number[];
    }
  | Exclude<EvidenceReading, { kind: 'read' }>;

export async function readUse(days: Pick<AnalyticsDays, 'peopleCredits'>, now: Date): Promise<UseReading> {
  const today = dayOf(now);
  const period = { first: notBeforeFirstDay(plusDays(today, -DAYS_READ)), last: plusDays(today, -1) };
  const read = await readPeopleByDay(days, period, { maxAgeMs: MAX_AGE_MS });
  if (read.kind === 'unreadable') return { kind: 'unreadable', sentence: statedSentence(read.fault) };
  const { credits, keyByEmail, published } = read.people;
  const newest = published.toSorted((one, other) => other.place - one.place);
  const [last] = newest;
  if (!last) return { kind: 'nothing' };
  const places = newest.map(({ place }) => place);
  return { kind: 'read', readAt: now.toISOString(), lastDay: last.day, credits, keyByEmail, published: places };
}

/** Sums what each person used in the long period, by e-mail; 0 without use. Pure. */
export function usedInAll(
  { credits, keyByEmail, published }: Extract<UseReading, { kind: 'read' }>,
  emails: readonly string[],
): { days: number; used: Map<string, number> } {
  const days = published.slice(0, LONG_DAYS);
  const usedBy = (email: string) => {
    const own = credits.get(keyByEmail.get(email) ?? email);
    return own ? sumsOf(own, days).long : 0;
  };
  return { days: days.length, used: new Map(emails.map((email) => [email, usedBy(email)])) };
}

export function evidenceOf(use: UseReading, changes: readonly LimitChange[]): EvidenceReading {
  if (use.kind !== 'read') return use;
  const { readAt, lastDay, credits, keyByEmail, published } = use;
  return { kind: 'read', evidence: { readAt, lastDay, ...figuresOf(credits, published, changes, keyByEmail) } };
}

/** @param changes the requested amounts; e-mails in lower case */
export async function readEvidence(
  days: Pick<AnalyticsDays, 'peopleCredits'>,
  changes: readonly LimitChange[],
  now: Date,
): Promise<EvidenceReading> {
  return evidenceOf(await readUse(days, now), changes);
}

/** @param keyByEmail for people whose key is not their e-mail */
export function figuresOf(
  credits: CreditsByDay,
  published: readonly number[],
  changes: readonly LimitChange[],
  keyByEmail: ReadonlyMap<string, string> = new Map(),
): Omit<Evidence, 'readAt' | 'lastDay'> {
  const days = published.slice(0, LONG_DAYS);
  const used = new Map(Iterator.from(credits).map(([email, own]) => [email, sumsOf(own, days)]));
  const spent = [...used.values()].map(({ long }) => long).filter((sum) => sum > 0);
  const hasBefore = days.length >= 2 * SHORT_DAYS;
  const people = changes.map(({ email, amount }) => {
    const { short, before, long } = used.get(keyByEmail.get(email) ?? email) ?? NOTHING_USED;
    return { email, amount, short, before: hasBefore ? before : null, long };
  });
  const outliers = outliersOf(people.map(({ email, amount, long }) => ({ email, amount, used: long })));
  return {
    shortDays: Math.min(days.length, SHORT_DAYS),
    longDays: days.length,
    peopleWithCredits: spent.length,
    people: people.slice(0, MAX_PEOPLE_SHOWN).map(({ email, short, before, long }) => ({
      email,
      short,
      before,
      long,
      decile: decileOf(long, spent) ?? null,
    })),
    total: {
      people: people.length,
      short: people.reduce((sum, person) => sum + person.short, 0),
      long: people.reduce((sum, person) => sum + person.long, 0),
      withoutCredits: people.filter((person) => person.long === 0).length,
      asked: people.reduce((sum, { amount }) => sum + amount, 0),
    },
    belowUse: outliers.filter(({ kind }) => kind === 'below_use').length,
    outliers: [
      ...outliers.filter(({ kind }) => kind === 'below_use').slice(0, MAX_OUTLIERS),
      ...outliers.filter(({ kind }) => kind === 'far_above').slice(0, MAX_OUTLIERS),
    ],
  };
}

const NOTHING_USED = { short: 0, before: 0, long: 0 };

/** Makes one pass over each person’s days, because a list of thousands would block the event loop. */
function sumsOf(own: AmountsByDay, days: readonly number[]): typeof NOTHING_USED {
  const sums = { ...NOTHING_USED };
  for (const [position, day] of days.entries()) {
    const credits = own[day] ?? 0;
    sums.long += credits;
    if (position < SHORT_DAYS) sums.short += credits;
    else if (position < 2 * SHORT_DAYS) sums.before += credits;
  }
  return sums;
}

/** With fewer people, a tenth says nothing. */
const FEWEST_FOR_TENTHS = 10;

/** @example decileOf(90, [100, 90, 80, 70, 60, 50, 40, 30, 20, 10]) // 2 */
export function decileOf(own: number, all: readonly number[]): number | undefined {
  if (own <= 0 || all.length < FEWEST_FOR_TENTHS) return undefined;
  const rank = all.filter((other) => other > own).length + 1;
  return Math.min(10, Math.ceil((rank * 10) / all.length));
}

/** Returns the people that evidence shows by name: each of a few people, and those with outlying amounts. Pure. */
function peopleNamedIn({ people, total, outliers }: Pick<Evidence, 'people' | 'total' | 'outliers'>): string[] {
  const each = total.people > people.length ? [] : people.map(({ email }) => email);
  return [...new Set([...each, ...outliers.map(({ email }) => email)])];
}

export function namesInEvidence(reading: EvidenceReading | undefined): Names {
  return reading?.kind === 'read'
    ? { what: 'limit_request', of: peopleNamedIn(reading.evidence), chosenBy: null }
    : 'nobody';
}
