import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { OrganizationFacts, Part } from '../../../../src/core/analytics/day-facts.ts';
import type {
  ActivityRow,
  CreditsRow,
  ProductivityRow,
  ToolsRow,
} from '../../../../src/core/platform/endpoints/analytics-rows.ts';
import { PlatformError } from '../../../../src/core/platform/errors.ts';
import { ARTIFACTS } from '../../../../src/sandbox/platform/model/catalogue.ts';
import { button } from '../../../../src/core/slack/blocks/blocks.ts';
import { buttonRow } from '../../../../src/core/slack/blocks/paragraphs.ts';
import { checkBlocks } from '../../../../src/core/slack/blocks/rules/index.ts';
import { daysOf, plusDays } from '../../../../src/core/base/time/calendar.ts';
import { organizationCsv, TOOLS_CSV } from '../../../../src/features/usage/export/organization-csv.ts';
import { buildMoves, buildSummaryReport } from '../../../../src/features/usage/reports/summary-report.ts';
import { movesView, summaryView } from '../../../../src/features/usage/views/summary-view.ts';
import { buildActivityReport, buildCreditsReport } from '../../../../src/features/usage/reports/totals-report.ts';
import { activityView } from '../../../../src/features/usage/views/activity-view.ts';
import { creditsView } from '../../../../src/features/usage/views/credits-view.ts';
import type { ReportScope } from '../../../../src/core/figures/measures/figures.ts';
import { buildGroupReport } from '../../../../src/features/usage/reports/group-report.ts';
import { groupView } from '../../../../src/features/usage/views/group-view.ts';
import { buildModelsReport } from '../../../../src/features/usage/reports/models-report.ts';
import { modelsView } from '../../../../src/features/usage/views/models-view.ts';
import type { PersonTotals } from '../../../../src/core/figures/measures/people-fold.ts';
import { buildPeopleReport } from '../../../../src/features/usage/reports/people-report.ts';
import { peopleView } from '../../../../src/features/usage/views/people-view.ts';
import { buildProductivityReport } from '../../../../src/features/usage/reports/productivity-report.ts';
import { productivityView } from '../../../../src/features/usage/views/productivity-view.ts';
import { OTHER_TOOLS, toolName } from '../../../../src/core/figures/measures/breakdown.ts';
import { buildToolsReport } from '../../../../src/features/usage/reports/tools-report.ts';
import { toolsView } from '../../../../src/features/usage/views/tools-view.ts';
import { type View, moreMessage, shortMessage, viewMessage } from '../../../../src/features/usage/views/paragraphs.ts';
import { READ_AT } from './generated.ts';
import { CHANNEL, MANAGERS, NAMING } from '../../../support/slack/readers.ts';
import { mrkdwnOf } from '../../../../src/core/base/text/markup.ts';
import { propertyRuns } from '../../../support/property-runs.ts';
import { anyCharacter } from '../../../support/any-character.ts';

const fault = new PlatformError({ code: 'timeout', method: 'GET', path: '/x', detail: 'x' });
const broken = { kind: 'unreadable', fault } as const;
const nothing = { notes: [], faults: [] };

const name = fc.oneof(
  fc.constantFrom(
    '<!channel>',
    '<@U123>',
    '*_~`bold`~_*',
    '&amp;&lt;',
    '=cmd|/c calc',
    '\u202Eevil',
    '👩‍👩‍👧‍👦',
    'مرحبا بالعالم',
    '',
    ' ',
    '__proto__',
    'constructor',
    '&'.repeat(300),
    'x'.repeat(5_000),
    ...ARTIFACTS,
  ),
  fc.string({ unit: anyCharacter, maxLength: 40 }),
);
const amount = fc.oneof(fc.nat(20), fc.nat(2_000_000_000));
const ratio = fc.option(fc.double({ min: 0, max: 50, noNaN: true }), { nil: null });
const many = <T>(item: fc.Arbitrary<T>) => fc.array(item, { maxLength: 12 });

const row = fc.record({
  models: many(fc.tuple(name, fc.option(name, { nil: null }), amount)),
  counts: fc.array(amount, { minLength: 12, maxLength: 12 }),
  named: many(fc.tuple(name, amount)),
  parts: fc.dictionary(name, fc.double({ min: 0, max: 1, noNaN: true }), { maxKeys: 6 }),
  ratio,
});
type Row = typeof row extends fc.Arbitrary<infer R> ? R : never;

function creditsRow(date: string, { models, counts }: Row): CreditsRow {
  const by_model = models.map(([model_id, model_tier, billable_tokens]) => ({
    model_id,
    model_tier,
    billable_tokens,
    input_tokens: 2,
    output_tokens: 1,
  }));
  const [a = 0, b = 0, c = 0, d = 0, e = 0] = counts;
  return {
    date,
    billable_tokens: a,
    input_tokens: b,
    output_tokens: c,
    cache_read_tokens: d,
    cache_write_tokens: e,
    by_model,
  };
}

function activityRow(date: string, { counts, named }: Row): ActivityRow {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = counts;
  return {
    date,
    daily_active_users: a,
    weekly_active_users: b,
    monthly_active_users: c,
    daily_active_users_by_client: Object.fromEntries(named),
    sessions: d,
    messages: e,
    user_messages: f,
  };
}

function productivityRow(date: string, { counts, named }: Row): ProductivityRow {
  const [a = 0, b = 0, c = 0, d = 0] = counts;
  return {
    date,
    files_created: a,
    files_edited: b,
    git_commits: c,
    git_prs_created: d,
    by_extension: named.map(([extension, count]) => ({ extension, count })),
    by_language: named.map(([language, count]) => ({ language, count })),
  };
}

function toolsRow(date: string, { counts, named, parts, ratio: average }: Row): ToolsRow {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = counts;
  const counted = named.map(([label, count]) => ({ name: label, count }));
  return {
    date,
    tool_calls: a,
    by_tool: named.map(([tool, invocations]) => ({ tool, invocations })),
    mcp_users_with_mcp: b,
    mcp_by_server: named.map(([server, invocations]) => ({ server, invocations })),
    skills_invocations: c,
    skills_by_name: counted,
    slash_commands_invocations: d,
    slash_commands_by_name: counted,
    hooks_invocations: e,
    hooks_by_event: named.map(([event, count]) => ({ event, matcher: event, command: 'secret command', count })),
    web_users: f,
    autonomy_ratio_avg: average,
    autonomy_ratio_p50: average,
    autonomy_ratio_p90: average,
    tool_calls_per_session_avg: average,
    user_turns_per_session_avg: average,
    tool_autonomy_level_ratio: parts,
  };
}

const person = fc.record({
  label: name,
  credits: amount,
  languages: many(name),
  level: fc.option(name, { nil: undefined }),
});

function totalsOf(
  people: readonly { label: string; credits: number; languages: string[]; level: string | undefined }[],
) {
  return people.map(({ label, credits, languages, level }, index): PersonTotals => ({
    key: `${label}${index}`,
    email: label === '' ? undefined : label,
    userId: label,
    credits,
    sessions: 1,
    messages: 2,
    userMessages: index % 2,
    toolCalls: 3,
    commits: 0,
    pullRequests: 0,
    filesCreated: 0,
    filesEdited: 0,
    activeDays: 1,
    lastActiveDay: undefined,
    delegationLevel: level,
    languages,
  }));
}

/** Facts of up to 230 days with unlikely names; a part may be unreadable, days may be missing. */
const nasty = fc
  .record({
    rows: fc.array(row, { minLength: 1, maxLength: 6 }),
    length: fc.constantFrom(1, 2, 7, 21, 40, 230),
    gaps: fc.integer({ min: 2, max: 9 }),
    unreadable: fc.integer({ min: 0, max: 12 }),
    people: fc.array(person, { maxLength: 60 }),
    copies: fc.constantFrom(1, 1, 6),
    notes: fc.array(name, { maxLength: 3 }),
  })
  .map(({ rows, length, gaps, unreadable, people, copies, notes }) => {
    const period = { first: '2026-03-01', last: plusDays('2026-03-01', length - 1) };
    const comparedWith = { first: '2026-02-28', last: '2026-02-28' };
    const days = daysOf({ first: '2026-02-28', last: period.last }).filter(
      (_, index) => index === 0 || index % gaps > 0,
    );
    const part = <R>(place: number, make: (date: string, from: Row) => R): Part<R> =>
      unreadable === place
        ? broken
        : {
            kind: 'read',
            rows: days.flatMap((date, index) => {
              const from = rows[index % rows.length];
              return from ? [make(date, from)] : [];
            }),
            readAt: READ_AT,
          };
    const facts: OrganizationFacts = {
      credits: part(0, creditsRow),
      activity: part(1, activityRow),
      productivity: part(2, productivityRow),
      tools: part(3, toolsRow),
    };
    const scope: ReportScope = { period, comparedWith, today: plusDays(period.last, 1) };
    const read = part(4, (date) => date);
    const totals = totalsOf(Array.from({ length: copies }, () => people).flat());
    return { facts, scope, days: read, totals, notes, rows };
  });
type Nasty = typeof nasty extends fc.Arbitrary<infer N> ? N : never;

function everyView({ facts, scope, days, totals, notes }: Nasty): View[] {
  const under = { notes, faults: [{ part: 'tools', sentence: 'It took too long.', reference: 'ab12' }] };
  const people = { days, people: totals.map((one) => ({ ...one, before: 5 })) };
  const timeline = notes.map((sentence) => ({ day: scope.period.first, sentence }));
  const teams = notes.map((label) => ({ label, emails: totals.map(({ key }) => key) }));
  const emails = totals.map(({ key }) => key);
  const group = {
    organization: facts.credits,
    spend: { ...people, creditsOn: () => 7 },
    totals: { days, people: totals, activeDays: 3 },
  };
  return [
    summaryView(
      buildSummaryReport({ ...facts, history: facts.credits, people, timeline }, { ...scope, readers: MANAGERS }),
      under,
    ),
    creditsView(buildCreditsReport(facts, scope), under),
    modelsView(buildModelsReport(facts, scope), under),
    toolsView(buildToolsReport(facts, scope), under),
    activityView(buildActivityReport(facts, scope), under),
    productivityView(buildProductivityReport({ ...facts, sums: facts.credits }, scope), under),
    peopleView(buildPeopleReport({ days, people: totals }, scope), under, NAMING),
    peopleView(buildPeopleReport({ days, people: totals }, scope), under, NAMING, 3),
    groupView(
      buildGroupReport(group, { ...scope, label: notes[0] ?? '@web', emails, kind: 'team', naming: NAMING }),
      under,
    ),
    groupView(
      buildGroupReport(group, {
        ...scope,
        label: notes[0] ?? 'Mia',
        emails: emails.slice(0, 1),
        kind: 'person',
        naming: NAMING,
      }),
      under,
    ),
    movesView(buildMoves({ ...facts, people, teams, timeline }, scope, NAMING), under, MANAGERS),
  ];
}

const buttons = buttonRow(button({ text: 'Share', actionId: 'usage_share', value: '{}' }));

describe('the short form of every view', () => {
  test('is a message of at most eight blocks that Slack accepts, whose text contains the numbers of its chart', () => {
    fc.assert(
      fc.property(nasty, (scene) => {
        for (const view of everyView({ ...scene, notes: scene.notes.slice(0, 1) })) {
          const made = shortMessage(view, buttons);
          expect(checkBlocks(made.blocks, 'message')).toEqual([]);
          // One of them lists the unreadable parts.
          expect(made.blocks.length).toBeLessThanOrEqual(9);
          const said = wordsOf(mrkdwnOf(made.text));
          const blocks = z.array(z.looseObject({ type: z.string() })).parse(made.blocks);
          const charts = blocks.filter(({ type }) => type === 'data_visualization');
          for (const chart of charts) expect(said).toContain(wordsOf(z.string().parse(chart['title'])));
          for (const { text } of blocks) expect(said).toContain(wordsOf(textOf(text) ?? '').slice(0, 60));
        }
      }),
      { numRuns: propertyRuns(30) },
    );
  });

  test('leaves out only rows that its button shows', () => {
    fc.assert(
      fc.property(nasty, (scene) => {
        for (const view of everyView(scene)) {
          const rest = moreMessage(view);
          expect(checkBlocks(rest.blocks, 'message')).toEqual([]);
          const said = wordsOf([...view.short.lines, ...(view.more?.lines ?? [])].join(' '));
          // The last line is the small print, which the short form abbreviates.
          // Of adjacent figures some are in the short form, and the others behind its button.
          const items = view.lines.slice(0, -1).flatMap((line) => line.split(/(?<!&\w{1,8}); /));
          for (const item of items) expect(said).toContain(wordsOf(item));
        }
      }),
      { numRuns: propertyRuns(20) },
    );
  });
});

describe('every view', () => {
  test('becomes a message that Slack accepts, mentions no user, and keeps its buttons, whatever names it contains', () => {
    fc.assert(
      fc.property(nasty, (scene) => {
        for (const view of everyView(scene)) {
          const made = viewMessage(view, buttons);
          expect(checkBlocks(made.blocks, 'message')).toEqual([]);
          expect(made.blocks.at(-1)).toEqual(buttons.blocks[0]);
          expect(mrkdwnOf(made.text)).not.toMatch(/<[!@#]/);
          expect(mrkdwnOf(made.text).length).toBeLessThan(40_000);
        }
      }),
      { numRuns: propertyRuns(60) },
    );
  });

  test('has a text with the content of its blocks', () => {
    fc.assert(
      fc.property(nasty, (scene) => {
        for (const view of everyView(scene)) {
          const said = wordsOf(mrkdwnOf(viewMessage(view).text));
          const shown = view.blocks.map((block) =>
            textOf(block.type === 'data_table' ? { text: block['caption'] } : block['text']),
          );
          // If a block clips its text, the message may continue it.
          for (const text of shown) expect(said).toContain(wordsOf(text ?? '').slice(0, 60));
        }
      }),
      { numRuns: propertyRuns(20) },
    );
  });

  test('has the numbers of each chart in a table right behind it', () => {
    fc.assert(
      fc.property(nasty, (scene) => {
        for (const { blocks } of everyView(scene)) {
          const types = blocks.map(({ type }) => type);
          for (const [index, type] of types.entries())
            expect([type, types[index + 1]]).not.toEqual([
              'data_visualization',
              expect.not.stringMatching('data_table'),
            ]);
          expect(types.filter((type) => type === 'data_visualization').length).toBeLessThanOrEqual(2);
        }
      }),
      { numRuns: propertyRuns(20) },
    );
  });
});

const textOf = (text: unknown) => z.object({ text: z.string() }).safeParse(text).data?.text;
/** Letters and digits only: the text joins with semicolons what the blocks put below each other. */
const wordsOf = (text: string) =>
  text
    .replaceAll(/ˋ/g, ' ')
    .replaceAll(/&(?:amp|lt|gt);/g, ' ')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '');

describe('names of tools', () => {
  test.each(['Read', 'mcp__github__search', 'mcp_server.tool:v2', 'Web-Search', 'a/b'])('%s is shown', (tool) => {
    expect(toolName(tool)).toBe(tool);
  });

  test.each([...ARTIFACTS, '', ' ', 'Read the file', 'x'.repeat(101), '\u202Eread'])(
    '%j is counted under other',
    (tool) => {
      expect(toolName(tool)).toBe(OTHER_TOOLS);
    },
  );

  test('with remains of a parser never appear, neither in the view nor in the CSV', () => {
    const mark = fc.constantFrom('<', '>', '"', '`', '{', '|', '\n', ' ', '*', '\\', '\t', '\u0000', '(');
    const artifact = fc.tuple(fc.string({ maxLength: 8 }), mark).map(([text, sign]) => `Read${text}${sign}ARTIFACT`);
    fc.assert(
      fc.property(fc.array(artifact, { minLength: 1, maxLength: 9 }), nasty, (names, scene) => {
        const [from] = scene.rows;
        const named = names.map((tool): [string, number] => [tool, 5]);
        const base = toolsRow('2026-03-01', { ...(from ?? emptyRow), named: [] });
        const rows = [
          {
            ...base,
            tool_calls: 5 * names.length,
            by_tool: named.map(([tool, invocations]) => ({ tool, invocations })),
          },
        ];
        const tools: Part<ToolsRow> = { kind: 'read', rows, readAt: READ_AT };
        const scope = { ...scene.scope, period: { first: '2026-03-01', last: '2026-03-01' } };
        const report = buildToolsReport({ ...scene.facts, tools }, scope);
        expect(report.tools.map(({ name: tool, value }) => [tool, value])).toEqual([[OTHER_TOOLS, 5 * names.length]]);
        expect(JSON.stringify(toolsView(report, nothing))).not.toContain('ARTIFACT');
        expect(organizationCsv({ ...scene.facts, tools }, TOOLS_CSV, scope.period)).not.toContain('ARTIFACT');
      }),
      { numRuns: propertyRuns(30) },
    );
  });

  test('from hooks never appear', () => {
    fc.assert(
      fc.property(nasty, (scene) => {
        expect(JSON.stringify(everyView(scene))).not.toContain('secret command');
        expect(organizationCsv(scene.facts, TOOLS_CSV, scene.scope.period)).not.toContain('secret command');
      }),
      { numRuns: propertyRuns(10) },
    );
  });
});

const emptyRow: Row = { models: [], counts: [], named: [], parts: {}, ratio: null };

describe('a part that could not be read', () => {
  const facts: OrganizationFacts = { credits: broken, activity: broken, productivity: broken, tools: broken };
  const scope = { period: { first: '2026-03-02', last: '2026-03-03' }, comparedWith: undefined, today: '2026-03-05' };
  const none: Part<never> = { kind: 'read', rows: [], readAt: READ_AT };
  const empty: OrganizationFacts = { credits: none, activity: none, productivity: none, tools: none };

  test.each([
    ['credits', (of: OrganizationFacts) => creditsView(buildCreditsReport(of, scope), nothing)],
    ['models', (of: OrganizationFacts) => modelsView(buildModelsReport(of, scope), nothing)],
    ['tools', (of: OrganizationFacts) => toolsView(buildToolsReport(of, scope), nothing)],
    ['activity', (of: OrganizationFacts) => activityView(buildActivityReport(of, scope), nothing)],
    [
      'productivity',
      (of: OrganizationFacts) => productivityView(buildProductivityReport({ ...of, sums: of.credits }, scope), nothing),
    ],
    [
      'summary',
      (of: OrganizationFacts) =>
        summaryView(buildSummaryReport({ ...of, history: of.credits }, { ...scope, readers: CHANNEL }), nothing),
    ],
  ])('is neither zero nor unpublished: %s', (_, view) => {
    expect(view(facts).lines[0]).toMatch(/could not be read\.$/);
    expect(view(empty).lines[0]).toMatch(/not published yet\.$/);
    expect(viewMessage(view(facts)).blocks.length).toBeGreaterThan(1);
  });
});
