import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createMovableClock } from '../../../src/sandbox/demo/movable-clock.ts';
import { dayName, dayNumber, FIRST_DAY } from '../../../src/sandbox/platform/model/calendar.ts';
import { type Figures, createFigures } from '../../../src/sandbox/platform/model/figures.ts';
import { createOrganization } from '../../../src/sandbox/platform/model/organization.ts';
import { propertyRuns } from '../../support/property-runs.ts';
import { NOW, sum } from './test-platform.ts';

const LAST_DAY = dayNumber('2026-11-19');

function figuresOf(seed: number, people: number): Figures {
  const clock = createMovableClock(NOW, { frozen: true });
  return createFigures({ organization: createOrganization({ seed, people }), clock });
}

const anyCase = fc.record({
  seed: fc.nat(1_000),
  people: fc.integer({ min: 5, max: 120 }),
  day: fc.integer({ min: FIRST_DAY, max: LAST_DAY }),
  factor: fc.constantFrom(1, 1, 0.5, 1.3),
});

function dayOfCase({ seed, people, day, factor }: { seed: number; people: number; day: number; factor: number }) {
  const figures = figuresOf(seed, people);
  figures.reviseDay(dayName(day), factor);
  const { users, ...rest } = figures.ofDay(day);
  return { ...rest, figures, rows: [...users.values()] };
}

/** A list of counts in a row whose members are not typed. */
function counts(row: Record<string, unknown>, list: string, count: string): number {
  const items: unknown = row[list];
  return sum(Array.isArray(items) ? items : [], (item: Record<string, unknown>) => Number(item[count]));
}

describe('the figures of a day', () => {
  test('agree on credits: the total, models, people and rows of people', () => {
    fc.assert(
      fc.property(anyCase, (each) => {
        const { tokens, rows } = dayOfCase(each);
        const total = tokens.billable_tokens;
        expect(sum(tokens.by_model, (model) => model.billable_tokens)).toBe(total);
        expect(sum(tokens.by_user, (person) => person.billable_tokens)).toBe(total);
        expect(sum(rows, (row) => row.billable_tokens)).toBe(total);
        expect(sum(tokens.by_model, (model) => model.input_tokens)).toBe(tokens.input_tokens);
        expect(sum(tokens.by_model, (model) => model.output_tokens)).toBe(tokens.output_tokens);
      }),
      { numRuns: propertyRuns(100) },
    );
  });

  test('agree on tools: totals, breakdowns and rows of people', () => {
    fc.assert(
      fc.property(anyCase, (each) => {
        const { tools, rows } = dayOfCase(each);
        expect(counts(tools, 'by_tool', 'invocations')).toBe(tools['tool_calls']);
        expect(sum(rows, (row) => row.tool_calls)).toBe(tools['tool_calls']);
        expect(counts(tools, 'mcp_by_server', 'invocations')).toBe(sum(rows, (row) => row.mcp_calls));
        expect(rows.filter((row) => row.mcp_calls > 0)).toHaveLength(Number(tools['mcp_users_with_mcp']));
        expect(counts(tools, 'skills_by_name', 'count')).toBe(tools['skills_invocations']);
        expect(sum(rows, (row) => row.skill_calls)).toBe(tools['skills_invocations']);
        expect(counts(tools, 'slash_commands_by_name', 'count')).toBe(sum(rows, (row) => row.slash_commands));
        expect(counts(tools, 'hooks_by_event', 'count')).toBe(sum(rows, (row) => row.hooks));
        const shares = Object.values(tools['tool_autonomy_level_ratio'] ?? {});
        expect(sum(shares, Number)).toBeCloseTo(Number(tools['tool_calls']) > 0 ? 1 : 0);
      }),
      { numRuns: propertyRuns(100) },
    );
  });

  test('agree on activity and productivity', () => {
    fc.assert(
      fc.property(anyCase, (each) => {
        const { productivity, sessions, messages, userMessages, rows } = dayOfCase(each);
        expect(sum(rows, (row) => row.sessions)).toBe(sessions);
        expect(sum(rows, (row) => row.messages)).toBe(messages);
        expect(sum(rows, (row) => row.user_messages)).toBe(userMessages);
        const files = sum(rows, (row) => row.files_created + row.files_edited);
        expect(Number(productivity['files_created']) + Number(productivity['files_edited'])).toBe(files);
        expect(counts(productivity, 'by_extension', 'count')).toBe(files);
        expect(counts(productivity, 'by_language', 'count')).toBe(files);
        expect(sum(rows, (row) => row.git_commits)).toBe(productivity['git_commits']);
        expect(sum(rows, (row) => row.git_prs_created)).toBe(productivity['git_prs_created']);
      }),
      { numRuns: propertyRuns(100) },
    );
  });

  test('count the active people of 1, 7 and 30 days once each', () => {
    fc.assert(
      fc.property(anyCase, ({ seed, people, day }) => {
        const figures = figuresOf(seed, people);
        const unique = (window: number) => {
          const ids = new Set<string>();
          for (let each = Math.max(FIRST_DAY, day - window + 1); each <= day; each += 1) {
            for (const id of figures.ofDay(each).users.keys()) ids.add(id);
          }
          return ids.size;
        };
        expect(figures.activeUsers(day)).toEqual({ daily: unique(1), weekly: unique(7), monthly: unique(30) });
      }),
      { numRuns: propertyRuns(25) },
    );
  });

  test('count a person on several clients once for each of them', () => {
    const { clients, rows } = dayOfCase({ seed: 1, people: 120, day: LAST_DAY, factor: 1 });
    expect(Object.keys(clients)).toEqual(['terminal-ui', 'web', 'non-interactive-cli']);
    expect(sum(Object.values(clients), Number)).toBeGreaterThan(rows.length);
    for (const users of Object.values(clients)) expect(users).toBeLessThanOrEqual(rows.length);
  });

  test('contain no fractions of credits, calls or people, and nothing below zero', () => {
    fc.assert(
      fc.property(anyCase, (each) => {
        for (const { autonomy_ratio, ...row } of dayOfCase(each).rows) {
          expect(autonomy_ratio).toBeGreaterThanOrEqual(0);
          const odd = Object.values(row).filter(
            (value) => typeof value === 'number' && !(Number.isSafeInteger(value) && value >= 0),
          );
          expect(odd).toEqual([]);
        }
      }),
      { numRuns: propertyRuns(100) },
    );
  });

  test('of a person are the same for any size of the organization', () => {
    const small = figuresOf(3, 10).ofDay(LAST_DAY).users;
    const large = figuresOf(3, 300).ofDay(LAST_DAY).users;
    for (const [id, row] of small) expect(large.get(id)).toEqual(row);
  });

  test('are lower at weekends and on holidays', () => {
    const figures = figuresOf(1, 200);
    const active = (day: string) => figures.activeUsers(dayNumber(day)).daily;
    expect(active('2026-11-14')).toBeLessThan(active('2026-11-13') / 3);
    expect(active('2026-05-01')).toBeLessThan(active('2026-04-30') / 3);
  });

  test('always contain the demo people on working days', () => {
    const { people } = createOrganization({ seed: 1, people: 5 });
    for (const day of ['2026-01-14', '2026-06-10', '2026-11-19']) {
      const { users } = figuresOf(1, 5).ofDay(dayNumber(day));
      expect(people.filter(({ id }) => users.has(id))).toHaveLength(5);
    }
  });

  test('name some servers twice, in different letter case', () => {
    const { tools } = figuresOf(1, 300).ofDay(LAST_DAY);
    const servers = tools['mcp_by_server'];
    const names = Array.isArray(servers) ? servers.map(({ server }: { server: string }) => server) : [];
    expect(names).toEqual(expect.arrayContaining(['github', 'GitHub', 'linear', 'Linear']));
  });

  test('contain parsing artifacts in about 0.006% of the tool names', () => {
    const figures = figuresOf(1, 3_000);
    let entries = 0;
    let artifacts = 0;
    for (let day = LAST_DAY - 20; day <= LAST_DAY; day += 1) {
      const { tools, users } = figures.ofDay(day);
      entries += users.size * 12;
      artifacts += tools.by_tool.filter(({ tool }) => !/^\w+$/.test(tool)).length;
    }
    expect(artifacts / entries).toBeGreaterThan(0.00002);
    expect(artifacts / entries).toBeLessThan(0.0001);
  });
});

describe('publication', () => {
  test('leaves out today, tomorrow and every day before the first', () => {
    const figures = figuresOf(1, 5);
    expect(figures.publishedDays(FIRST_DAY - 3, FIRST_DAY + 1)).toEqual([FIRST_DAY, FIRST_DAY + 1]);
    expect(figures.publishedDays(LAST_DAY, LAST_DAY + 2)).toEqual([LAST_DAY]);
  });

  test('drops old days of a big organization from memory and generates them again', () => {
    const figures = figuresOf(1, 10_000);
    const first = figures.ofDay(FIRST_DAY + 200).tokens.billable_tokens;
    for (let day = FIRST_DAY + 201; day < FIRST_DAY + 215; day += 1) figures.ofDay(day);
    expect(figures.ofDay(FIRST_DAY + 200).tokens.billable_tokens).toBe(first);
  });
});
