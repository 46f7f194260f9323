import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readQuietMemo, type QuietMemo } from '../../../src/features/digests/core/digest-payload.ts';
import type { SectionRead } from '../../../src/features/digests/core/sections.ts';
import { decideQuiet, needsAttention } from '../../../src/features/digests/deliver/quiet.ts';
import { hasNews, quietMemo } from '../../../src/features/digests/deliver/restated-quiet-day.ts';
import { allowEverybodysAmounts } from '../../../src/core/figures/groups/admission.ts';
import { nextOccurrence } from '../../../src/core/schedule/occurrences.ts';
import { contentsOf } from '../../../src/core/slack/blocks/paragraphs.ts';
import { propertyRuns } from '../../support/property-runs.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const SET_UP = new Date('2026-01-13T12:00:00Z');
/** The platform restates its last days alone. */
const MAX_DAYS_LATE = 7;
const USUAL_CREDITS = 1_000_000;

/** The days of one morning, and what the platform does with them later. */
interface Covered {
  isUnusual: boolean;
  /** Whether a mark of a budget was passed. */
  passesMark: boolean;
  weakerSettings: number;
  /** Whether a source cannot be read in the morning. */
  isDown: boolean;
  /** How many days later the credits are restated, at which hour (UTC), and whether they are unusual then. */
  correction: { afterDays: number; hour: number; isUnusual: boolean } | undefined;
}

/** Most days are quiet, so that there are weeks of silence. */
const seldom = fc.integer({ min: 0, max: 11 }).map((one) => one === 0);
const coveredDays: fc.Arbitrary<Covered> = fc.record({
  isUnusual: seldom,
  passesMark: seldom,
  weakerSettings: seldom.map(Number),
  isDown: seldom,
  correction: fc.option(
    // After nine in Berlin, on the same date there.
    fc.record({
      afterDays: fc.integer({ min: 0, max: MAX_DAYS_LATE }),
      hour: fc.integer({ min: 10, max: 18 }),
      isUnusual: fc.boolean(),
    }),
    { freq: 5, nil: undefined },
  ),
});

type Kind = 'needed' | 'corrected' | 'sign_of_life';
/** `date`: days since the digest was set up. */
interface Sent {
  date: number;
  kind: Kind;
}

/** The dates of the mornings of a year in Berlin, with both clock changes. */
function morningsOf(days: number[]): { date: number; at: Date }[] {
  const mornings: { date: number; at: Date }[] = [];
  let at = SET_UP;
  while (at < new Date('2027-01-14T00:00:00Z')) {
    const occurrence = nextOccurrence({ days, at: '09:00', zone: 'Europe/Berlin' }, at);
    at = occurrence.at;
    mornings.push({ date: (Date.parse(occurrence.localDate) - Date.parse('2026-01-13')) / DAY_MS, at });
  }
  return mornings;
}

/** Counts dates alone, and uses no function of the bot. */
function expectedOf(dates: readonly number[], year: readonly Covered[]): Sent[] {
  const sent: Sent[] = [];
  const quiet = new Set<number>();
  for (let date = 1; date <= (dates.at(-1) ?? 0) + MAX_DAYS_LATE; date += 1) {
    const place = dates.indexOf(date);
    const covered = year[place];
    if (covered && place < dates.length - 1) {
      const lastSent = Math.max(0, ...sent.map((one) => one.date));
      if (covered.isUnusual || covered.passesMark || covered.weakerSettings > 0 || covered.isDown)
        sent.push({ date, kind: 'needed' });
      else {
        quiet.add(place);
        if ((dates[place + 1] ?? 0) - lastSent > 7) sent.push({ date, kind: 'sign_of_life' });
      }
    }
    for (const [index, { correction }] of year.entries()) {
      if (!correction || index >= dates.length - 1 || (dates[index] ?? 0) + correction.afterDays !== date) continue;
      if (correction.isUnusual && quiet.has(index)) sent.push({ date, kind: 'corrected' });
    }
  }
  return sent;
}

function sectionsOf(covered: Covered, isUnusual: boolean, hasMark: boolean, isDown: boolean): SectionRead[] {
  const { amount } = allowEverybodysAmounts();
  const readAt = SET_UP;
  const ready = (id: string, name: string, value: number, isAttentionNeeded: boolean): SectionRead => ({
    id,
    title: id,
    readAt,
    reading: {
      kind: 'ready',
      ...contentsOf([]),
      figures: { [name]: amount(value) },
      isQuiet: !isAttentionNeeded,
      needsAttention: isAttentionNeeded,
    },
  });
  const down = { kind: 'unreadable' as const, sentence: 'The platform did not answer.', reference: '0' };
  const readiness = ready('readiness', 'Repositories', 12, false);
  return [
    ready('summary', 'Credits', isUnusual ? 5 * USUAL_CREDITS : USUAL_CREDITS, isUnusual),
    ready('budgets', 'Monthly budget', 7_000_000, hasMark),
    ready('controls', 'Weaker settings', covered.weakerSettings, covered.weakerSettings > 0),
    isDown ? { ...readiness, reading: down } : readiness,
  ];
}

/** Each morning and each correction in the order of time, decided by the functions of the bot. */
function sentOf(
  cadence: 'daily' | 'weekdays',
  mornings: readonly { date: number; at: Date }[],
  year: readonly Covered[],
) {
  const memos = new Map<number, QuietMemo>();
  const sent: (Sent & { at: Date })[] = [];
  const events = mornings.flatMap(({ date, at }, place) => {
    const covered = year[place];
    if (!covered) return [];
    const { correction } = covered;
    const correctedOn = date + (correction?.afterDays ?? 0);
    const correctedAt = new Date(Date.UTC(2026, 0, 13 + correctedOn, correction?.hour));
    return [
      { at, place, covered, date, isCorrection: false },
      ...(correction ? [{ at: correctedAt, place, covered, date: correctedOn, isCorrection: true }] : []),
    ];
  });
  for (const { at, place, covered, date, isCorrection } of events.toSorted((a, b) => a.at.getTime() - b.at.getTime())) {
    const nextDueAt = mornings[place + 1]?.at;
    if (!nextDueAt) continue;
    if (isCorrection) {
      const memo = memos.get(place);
      // A mark of a later day is seen too when the sections are read again.
      const hasMark = year.slice(place, place + 8).some((one) => one.passesMark);
      const sections = sectionsOf(covered, covered.correction?.isUnusual === true, hasMark, false);
      if (memo && hasNews(memo, sections)) sent.push({ at, date, kind: 'corrected' });
      continue;
    }
    const sections = sectionsOf(covered, covered.isUnusual, covered.passesMark, covered.isDown);
    const isNeeded = needsAttention(sections.map(({ reading }) => reading));
    const lastSign = sent.at(-1)?.at ?? SET_UP;
    const decision = decideQuiet({ send: 'when_needed', cadence }, { isNeeded, nextDueAt, lastSign });
    if (decision === 'send') sent.push({ at, date, kind: 'needed' });
    else {
      const memo = readQuietMemo(quietMemo({ sections }, at));
      if (memo) memos.set(place, memo);
      if (decision === 'sign_of_life') sent.push({ at, date, kind: 'sign_of_life' });
    }
  }
  return sent;
}

describe.each([
  ['daily', [1, 2, 3, 4, 5, 6, 7]],
  ['weekdays', [1, 2, 3, 4, 5]],
] as const)('over a generated year, a %s digest that is sent when needed', (cadence, days) => {
  const mornings = morningsOf([...days]);
  const years = fc.array(coveredDays, { minLength: mornings.length, maxLength: mornings.length });

  test('is sent as often as an independent count says, also after corrections, and loses nothing', () => {
    fc.assert(
      fc.property(years, (year) => {
        const sent = sentOf(cadence, mornings, year).map(({ date, kind }) => ({ date, kind }));
        const dates = mornings.map(({ date }) => date);
        expect(sent).toEqual(expectedOf(dates, year));
      }),
      { numRuns: propertyRuns(200) },
    );
  });

  test('is never silent for longer than a week', () => {
    const quietYears = fc.array(
      fc.oneof(
        {
          weight: 9,
          arbitrary: coveredDays.map((one) => ({
            ...one,
            isUnusual: false,
            passesMark: false,
            weakerSettings: 0,
            isDown: false,
          })),
        },
        { weight: 1, arbitrary: coveredDays },
      ),
      { minLength: mornings.length, maxLength: mornings.length },
    );
    fc.assert(
      fc.property(quietYears, (year) => {
        const end = mornings.at(-2)?.at ?? SET_UP;
        const sent = sentOf(cadence, mornings, year).filter(({ at }) => at < end);
        const times = [SET_UP, ...sent.map(({ at }) => at), end];
        const gaps = times.slice(1).map((at, index) => at.getTime() - (times[index] ?? at).getTime());
        // A clock change moves a morning by an hour.
        expect(Math.max(...gaps)).toBeLessThanOrEqual(7 * DAY_MS + HOUR_MS);
      }),
      { numRuns: propertyRuns(200) },
    );
  });
});

test('a budget mark of a later day is no news of a quiet day whose figures are as they were', () => {
  const quiet: Covered = {
    isUnusual: false,
    passesMark: false,
    weakerSettings: 0,
    isDown: false,
    correction: undefined,
  };
  const memo = readQuietMemo(quietMemo({ sections: sectionsOf(quiet, false, false, false) }, SET_UP));
  if (!memo) throw new Error('A quiet morning has a memo');
  expect(hasNews(memo, sectionsOf(quiet, false, true, false))).toBe(false);
  expect(hasNews(memo, sectionsOf(quiet, true, true, false))).toBe(true);
});

test('weekly and monthly digests, and those that are always sent, are never skipped', () => {
  const quiet = { isNeeded: false, nextDueAt: new Date(2 * DAY_MS), lastSign: new Date(0) };
  for (const cadence of ['weekly', 'monthly'] as const)
    expect(decideQuiet({ send: 'when_needed', cadence }, quiet)).toBe('send');
  expect(decideQuiet({ send: 'always', cadence: 'daily' }, quiet)).toBe('send');
});
