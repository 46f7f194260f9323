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

  test.each(['', 'hourly', 'weekly:0', 'weekly:8', 'monthly:29', 'monthly:x', 'weekly'])(
    'rejects the rhythm “%s”',
    (text) => {
      expect(readRhythm(text)).toBeUndefined();
    },
  );

  test.each([
    ['daily', 'every day at 09:00 (UTC)'],
    ['weekdays', 'Monday to Friday at 09:00 (UTC)'],
    ['weekly:7', 'every Sunday at 09:00 (UTC)'],
    ['monthly:1', 'on the 1st of each month at 09:00 (UTC)'],
    ['monthly:12', 'on the 12th of each month at 09:00 (UTC)'],
    ['monthly:22', 'on the 22nd of each month at 09:00 (UTC)'],
  ])('explains %s as: %s', (text, words) => {
    const rhythm = readRhythm(text);
    if (!rhythm) throw new Error(`No rhythm ${text}`);
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
