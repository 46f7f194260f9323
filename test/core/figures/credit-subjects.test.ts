import { describe, expect, test } from 'vitest';
import type { AnalyticsDays } from '../../../src/core/analytics/days.ts';
import { readCreditSubjects } from '../../../src/core/figures/credit-subjects.ts';
import type { CreditsRow } from '../../../src/core/platform/endpoints/analytics-rows.ts';
import { PlatformError } from '../../../src/core/platform/errors.ts';
import { creditsColumns } from '../../support/credits-columns.ts';

const READ_AT = new Date('2026-03-04T08:00:00Z');
const [SETTLED, FRESH] = ['2026-03-02', '2026-03-03'];
const PERIOD = { first: SETTLED, last: FRESH };
const GROUP = { kind: 'people' as const, emails: ['mia@acme.example'] };
const MODEL = { kind: 'model' as const, name: 'atlas' };

const NO_TOKENS = { input_tokens: 0, output_tokens: 0, cache_read_tokens: 0, cache_write_tokens: 0 };
const creditsOf = (date: string, credits: number): CreditsRow => ({
  ...NO_TOKENS,
  date,
  billable_tokens: 0,
  by_model: [{ ...NO_TOKENS, model_id: 'atlas', model_tier: null, billable_tokens: credits }],
});

/** An organization of 1,000 credits a day, of which half is told of the last one: 30 % are those of a model, 20 % of Mia. */
const days: Pick<AnalyticsDays, 'dailyCredits' | 'credits' | 'peopleCredits'> = {
  dailyCredits: async () => ({
    kind: 'read',
    readAt: READ_AT,
    rows: [
      { date: SETTLED, billable_tokens: 1_000 },
      { date: FRESH, billable_tokens: 500, likely: { expected: 1_000, low: 900, high: 1_200 } },
    ],
  }),
  credits: async () => ({
    kind: 'read',
    readAt: READ_AT,
    rows: [creditsOf(SETTLED, 300), creditsOf(FRESH, 150)],
  }),
  peopleCredits: async (_, take) => {
    const rows = [
      [SETTLED, 200],
      [FRESH, 100],
    ] as const;
    for (const [date, billable_tokens] of rows)
      take(creditsColumns(date, [{ user_id: 'mia', user_email: 'mia@acme.example', billable_tokens }]));
    return { kind: 'read', rows: [SETTLED, FRESH], readAt: READ_AT };
  },
};

describe('the fresh days of a part of the organization', () => {
  test.each([
    ['a model', MODEL, 300],
    ['a group of people', GROUP, 200],
  ])('of %s will likely rise as those of the organization do', async (_, subject, usual) => {
    const read = await readCreditSubjects(days, [subject], PERIOD, {});
    expect(read(subject)).toMatchObject({
      rows: [
        { date: SETTLED, billable_tokens: usual },
        {
          date: FRESH,
          billable_tokens: usual / 2,
          likely: { expected: usual, low: usual * 0.9, high: usual * 1.2 },
        },
      ],
    });
    expect(read(subject)).not.toHaveProperty(['rows', '0', 'likely']);
  });

  test('stay as they are told while those of the organization can’t be read', async () => {
    const fault = new PlatformError({ code: 'timeout', method: 'GET', path: '/x', detail: 'x' });
    const unreadable = { kind: 'unreadable' as const, fault };
    const read = await readCreditSubjects({ ...days, dailyCredits: async () => unreadable }, [GROUP], PERIOD, {});
    expect(read(GROUP)).toMatchObject({ rows: [{ billable_tokens: 200 }, { billable_tokens: 100 }] });
    expect(JSON.stringify(read(GROUP))).not.toContain('likely');
  });
});
