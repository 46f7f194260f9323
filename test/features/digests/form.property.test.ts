import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { makeShortId } from '../../../src/core/base/text/short-id.ts';
import {
  firstDraft,
  formView,
  readForm,
  readRhythm,
  type FormFacts,
  zoneOptions,
} from '../../../src/features/digests/manage/digest-form.ts';
import { parseDigest } from '../../../src/features/digests/digest-command.ts';
import { describeSchedule, scheduleOf } from '../../../src/features/digests/core/settings.ts';
import { isTimeZone } from '../../../src/core/base/time/calendar.ts';
import { checkView } from '../../../src/core/slack/blocks/rules/index.ts';
import { formValues, FormState } from '../../../src/core/slack/blocks/views.ts';
import { propertyRuns } from '../../support/property-runs.ts';
import { anyCharacter } from '../../support/any-character.ts';

const noReading = () => Promise.reject(new Error('not read here'));
const facts = (sections: number, teams: number, ownZone: string, text: string): FormFacts => ({
  canShowPeople: true,
  ownZone,
  now: new Date('2026-11-22T12:00:00Z'),
  sections: Array.from({ length: sections }, (_, index) => ({
    id: `section${index}`,
    title: text,
    description: text,
    namesPeople: index % 3 === 0,
    isDefault: index % 2 === 0,
    coversAudienceOnly: true,
    read: noReading,
  })),
  teams: Array.from({ length: teams }, (_, index) => ({
    id: `S${index}`,
    handle: text,
    members: [],
    emails: [],
    isChosen: index % 2 === 0,
  })),
});

describe('the form of a new digest', () => {
  test('is accepted by Slack for any names and any number of sections and teams', () => {
    const anything = fc.string({ unit: anyCharacter, maxLength: 200 });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 0, max: 150 }),
        fc.constantFrom('Europe/Berlin', 'Mars/Olympus', ''),
        anything,
        anything,
        (sections, teams, zone, text, problem) => {
          const given = facts(sections, teams, zone, text);
          for (const channel of ['C0USAGE', 'D0MORGAN', '']) {
            expect(checkView(formView(given, firstDraft(given, channel)))).toEqual([]);
            expect(checkView(formView(given, firstDraft(given, channel), `No. ${problem}`))).toEqual([]);
          }
        },
      ),
      { numRuns: propertyRuns(40) },
    );
  });

  test('reads any submitted state without throwing, and names what is missing', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (values) => {
        const { errors } = readForm(new FormState(formValues.parse(values)));
        expect(Object.keys(errors)).toContain('audience');
      }),
    );
  });

  test.each([
    ['UTC', '09:00', 'At 09:00 (UTC), Monday’s digest covers Fri to Sun (UTC days).'],
    [
      'Pacific/Auckland',
      '09:00',
      'At 09:00 (Pacific/Auckland), Monday’s digest covers Thu to Sat (UTC days). UTC days end at 13:00 there.',
    ],
    [
      'America/Los_Angeles',
      '17:00',
      'At 17:00 (America/Los_Angeles), Monday’s digest covers Sat to Mon (UTC days). UTC days end at 16:00 there.',
    ],
  ])('names the UTC days that a digest covers in %s at %s', (zone, at, words) => {
    const given = facts(1, 0, zone, 'Usage');
    const shown = JSON.stringify(formView(given, { ...firstDraft(given, 'C0USAGE'), at }));
    expect(shown).toContain(words);
    expect(shown).not.toContain('Monday: Fri');
  });

  test('offers only time zones that exist, at most 100, with the user’s own one first and once', () => {
    const options = zoneOptions('Europe/Paris');
    expect(options.every(({ value }) => isTimeZone(value))).toBe(true);
    expect(options.length).toBeLessThanOrEqual(100);
    expect(new Set(options.map(({ value }) => value)).size).toBe(options.length);
    expect(options[0]?.value).toBe('Europe/Paris');
    expect(isTimeZone('Mars/Olympus')).toBe(false);
  });

  test.each([
    { rhythm: '' },
    { rhythm: 'hourly' },
    { rhythm: 'weekly', weekday: '0' },
    { rhythm: 'weekly', weekday: '8', monthDay: '1' },
    { rhythm: 'monthly', monthDay: '29', weekday: '1' },
    { rhythm: 'monthly', monthDay: 'x' },
    { rhythm: 'weekly' },
    { rhythm: 'weekly:8' },
  ])('rejects the rhythm %o', (values) => {
    expect(readRhythm(values)).toBeUndefined();
  });

  test('offers four rhythms, and the day of a weekly or monthly one in a field of its own', () => {
    const given = facts(1, 0, 'UTC', 'Usage');
    const shown = (rhythm: string) => JSON.stringify(formView(given, { ...firstDraft(given, 'C0USAGE'), rhythm }));
    expect(shown('weekdays').match(/Monday to Friday|Every day|"Weekly"|"Monthly"/g)).toHaveLength(5);
    expect(shown('weekdays')).not.toMatch(/On which/);
    expect(shown('weekly')).toMatch(/On which weekday\?.*Sunday/);
    expect(shown('monthly')).toMatch(/On which day of the month\?.*The 28th/);
  });

  test.each([
    [{ rhythm: 'daily' }, 'every day at 09:00 (UTC)'],
    [{ rhythm: 'weekdays' }, 'Monday to Friday at 09:00 (UTC)'],
    [{ rhythm: 'weekly', weekday: '7' }, 'every Sunday at 09:00 (UTC)'],
    [{ rhythm: 'monthly', monthDay: '1' }, 'on the 1st of each month at 09:00 (UTC)'],
    [{ rhythm: 'monthly:12' }, 'on the 12th of each month at 09:00 (UTC)'],
    [{ rhythm: 'monthly', monthDay: '22' }, 'on the 22nd of each month at 09:00 (UTC)'],
  ])('explains %o as: %s', (values, words) => {
    const rhythm = readRhythm(values);
    if (!rhythm) throw new Error(`No rhythm ${values.rhythm}`);
    expect(describeSchedule(rhythm.cadence, scheduleOf(rhythm, '09:00', 'UTC'))).toBe(words);
  });
});

describe('the id of a digest', () => {
  test('is short and contains no ambiguous letters', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 4 }), (numbers) => {
        let at = 0;
        expect(makeShortId(() => numbers[at++ % numbers.length] ?? 0, 4)).toMatch(/^[a-hj-km-np-z2-9]{4}$/);
      }),
    );
  });
});

/** A Wednesday. */
const NOW = new Date('2026-03-04T09:00:00Z');

describe('the words after /digest', () => {
  test.each([
    [[], { kind: 'list' }],
    [['LIST'], { kind: 'list' }],
    [['now'], { kind: 'now', id: undefined }],
    [['now', 'K7M2'], { kind: 'now', id: 'k7m2' }],
    [['remove', 'k7m2'], { kind: 'remove', id: 'k7m2' }],
    [['why'], { kind: 'why' }],
    [['why', 'last', 'week'], { kind: 'why', days: { first: '2026-02-23', last: '2026-03-01' } }],
    [['why', '2D'], { kind: 'why', days: { first: '2026-03-03', last: '2026-03-04' } }],
  ])('are parsed: %o', (words, request) => {
    expect(parseDigest(words, NOW)).toEqual({ kind: 'run', request });
  });

  test('never throw, and their corrections are valid commands', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { maxLength: 5 }), (words) => {
        const parsed = parseDigest(words, NOW);
        if (parsed.kind !== 'misunderstood' || parsed.corrected === undefined) return;
        expect(parseDigest(parsed.corrected.split(' '), NOW).kind).toBe('run');
      }),
    );
  });
});
