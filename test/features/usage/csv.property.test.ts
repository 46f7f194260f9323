import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PERSON_COLUMNS } from '../../../src/features/usage/export/people-csv.ts';
import { csvHeader, csvLines, csvRows } from '../../../src/core/base/text/csv.ts';
import {
  ACTIVITY_CSV,
  CREDITS_CSV,
  MODELS_CSV,
  organizationCsv,
  PRODUCTIVITY_CSV,
  SUMMARY_CSV,
  TOOLS_CSV,
} from '../../../src/features/usage/export/organization-csv.ts';
import { daysOf } from '../../../src/core/base/time/calendar.ts';
import { keyOf, sceneOf, scenes, sum, tally } from './views/generated.ts';
import { propertyRuns } from '../../support/property-runs.ts';

/** Reads CSV as defined by RFC 4180. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  const cell = /("(?:[^"]|"")*"|[^",\n]*)([,\n])/gy;
  for (let match = cell.exec(text); match; match = cell.exec(text)) {
    const [, raw = '', end] = match;
    row.push(raw.startsWith('"') ? raw.slice(1, -1).replaceAll('""', '"') : raw);
    if (end !== '\n') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

function asSeen(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}

function withoutApostrophes(rows: readonly (readonly string[])[]): string[][] {
  return rows.map((row) => row.map((text) => text.replaceAll("'", '')));
}

describe('a cell of a CSV', () => {
  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '=HYPERLINK("http://x","y")', '＝1'])(
    'cannot be a formula: %j',
    (text) => {
      expect(csvLines([[text]])).toMatch(/^"?'/);
    },
  );

  test('cannot become a formula if a spreadsheet uses another separator', () => {
    const separators = [',', ';', '\t', '|'];
    const texts = fc.array(fc.constantFrom('x', '=', '+1', '-', '@', ';', ',', '|', ' ', '"', "'", '\t'), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(texts, fc.constantFrom(...separators), (pieces, separator) => {
        const [line = ''] = csvLines([['day', pieces.join(''), 3]]).split('\n');
        for (const cell of line.split(separator)) {
          expect(cell.replace(/^["\s]+/, '')).not.toMatch(/^[=+\-@]/);
        }
      }),
      { numRuns: propertyRuns(2_000) },
    );
  });

  test('stays a number, even a negative one', () => {
    expect(csvLines([[-3, 1_234_567, 0.25, 0]])).toBe('-3,1234567,0.25,0\n');
  });

  test('is read back unchanged, except for apostrophes and invisible characters', () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.string({ unit: 'grapheme' }), { minLength: 2, maxLength: 5 })), (rows) => {
        const read = readCsv(csvLines(rows));
        expect(withoutApostrophes(read)).toEqual(withoutApostrophes(rows.map((row) => row.map(asSeen))));
        for (const text of read.flat()) expect(text).not.toMatch(/^[=+\-@\t\r]/);
      }),
    );
  });

  test('without any sign of a formula gets no apostrophe', () => {
    const texts = fc.string({ unit: 'grapheme' }).filter((text) => !/[=+\-@＝＋－＠]/u.test(text));
    fc.assert(
      fc.property(fc.array(fc.array(texts, { minLength: 2, maxLength: 5 })), (rows) => {
        expect(readCsv(csvLines(rows))).toEqual(rows.map((row) => row.map(asSeen)));
      }),
    );
  });
});

describe('the CSV of people', () => {
  test('has one line for each person and day, with the figures of that day', () => {
    fc.assert(
      fc.property(scenes(8), (scene) => {
        const [header = [], ...rows] = readCsv(
          csvHeader(PERSON_COLUMNS) + scene.users.map((row) => csvRows(PERSON_COLUMNS, [row])).join(''),
        );
        const column = (title: string) => header.indexOf(title);
        const leaves = scene.leaves({ first: scene.published[0] ?? '2026-01-14', last: scene.scope.period.last });
        expect(rows.length).toBe(sum(leaves.map(({ people }) => people.length)));
        const credits = rows.map((row): [string, number] => [
          `${row[column('Day')]} ${row[column('E-mail')]?.toLowerCase() || `id:${row[column('User id')]}`}`,
          Number(row[column('Standard Credits')]),
        ]);
        expect(tally(credits)).toEqual(
          tally(
            leaves.flatMap(({ day, people }) =>
              people.map((leaf): [string, number] => [
                `${day} ${keyOf(leaf)}`,
                sum(leaf.models.map((use) => use.billable)),
              ]),
            ),
          ),
        );
      }),
      { numRuns: propertyRuns(15) },
    );
  });
});

describe('the CSV of the organization', () => {
  test('has the figures of each published day of the period, and lines of no other day', () => {
    fc.assert(
      fc.property(scenes(8), (scene) => {
        const [, ...rows] = readCsv(organizationCsv(scene.facts, SUMMARY_CSV, scene.scope.period));
        const of = (measure: string) =>
          rows.filter((row) => row[1] === 'organization' && row[3] === measure).map((row) => [row[0], Number(row[4])]);
        const leaves = scene.leaves(scene.scope.period);
        expect(of('Commits')).toEqual(leaves.map(({ day, people }) => [day, sum(people.map((leaf) => leaf.commits))]));
        expect(of('Active people')).toEqual(leaves.map(({ day, people }) => [day, people.length]));
        expect(rows.every((row) => daysOf(scene.scope.period).includes(row[0] ?? ''))).toBe(true);
      }),
      { numRuns: propertyRuns(15) },
    );
  });

  test.each([
    ['credits', CREDITS_CSV, 'tier'],
    ['models', MODELS_CSV, 'model'],
    ['tools', TOOLS_CSV, 'tool server'],
    ['tools', TOOLS_CSV, 'hook'],
    ['activity', ACTIVITY_CSV, 'client'],
    ['productivity', PRODUCTIVITY_CSV, 'language'],
  ] as const)('of %s has lines by $2', (_view, csv, of) => {
    const scene = sceneOf({ seed: 2, size: 30, period: { first: '2026-03-02', last: '2026-03-04' } });
    const rows = readCsv(organizationCsv(scene.facts, csv, scene.scope.period));
    expect(rows[0]).toEqual(['Day', 'Of', 'Name', 'Measure', 'Value']);
    expect(rows.filter((row) => row[1] === of).length).toBeGreaterThan(2);
    expect(new Set(rows.map((row) => row.length))).toEqual(new Set([5]));
  });
});
