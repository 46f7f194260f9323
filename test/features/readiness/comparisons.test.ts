import { describe, expect, test } from 'vitest';
import type { ReadinessReport } from '../../../src/core/platform/endpoints/readiness.ts';
import { changesIn } from '../../../src/features/readiness/readiness-digest-section.ts';
import { buildDetail } from '../../../src/features/readiness/reports/detail.ts';
import { buildOverview } from '../../../src/features/readiness/reports/overview.ts';
import { createReportsFold } from '../../../src/features/readiness/reports/reports-fold.ts';
import { detailParagraphs } from '../../../src/features/readiness/views/detail-view.ts';
import { overviewPage } from '../../../src/features/readiness/views/overview-view.ts';
import { newsSince } from '../../../src/features/readiness/watch/readiness-notices.ts';

const NOW = new Date('2026-03-20T07:00:00Z');
const DAY = Date.parse('2026-03-10T09:00:00Z');

interface Made {
  branch?: string | null;
  /** Passing criteria, and all of them. */
  score?: readonly number[];
  criteria?: Record<string, number>;
  local?: boolean;
  unpushed?: boolean;
  /** After 10 March; by default all are of that day, a minute apart. */
  days?: number;
}

const scored = ([passed = 0, all = 0]: readonly number[]) =>
  Object.fromEntries(Array.from({ length: all }, (_, index) => [`c${index}`, index < passed ? 1 : 0] as const));

/** Reports of one repository, oldest first. */
function historyOf(...made: Made[]) {
  const fold = createReportsFold();
  for (const [
    at,
    { branch = 'main', score = [0, 0], criteria, local = false, unpushed = false, days = 0 },
  ] of made.entries()) {
    const report: ReadinessReport = {
      reportId: `r${at}`,
      createdAt: DAY + days * 86_400_000 + at * 60_000,
      repoUrl: 'https://git.acme.example/acme/web',
      apps: {},
      branch,
      hasLocalChanges: local,
      hasNonRemoteCommits: unpushed,
      report: Object.fromEntries(
        Object.entries(criteria ?? scored(score)).map(([id, numerator]) => [
          id,
          { numerator, denominator: 1, rationale: '' },
        ]),
      ),
    };
    fold.add(report);
  }
  const all = fold.repositories();
  const [own] = all;
  if (!own) throw new Error('There is a repository');
  return { own, all };
}

/** The column of the change, and the sentence above the details. */
function shown(...made: Made[]) {
  const { own, all } = historyOf(...made);
  const overview = buildOverview({ repositories: all, unreadable: 0, readAt: NOW }, '');
  const { paragraphs } = overviewPage(overview, 0, NOW);
  const detail = detailParagraphs(buildDetail(own, all), NOW).flatMap(({ lines }) => lines);
  return {
    moved: [overview.worse, overview.better],
    table: paragraphs.flatMap(({ lines }) => lines).join('\n'),
    detail: detail.join('\n'),
  };
}

describe('a report is compared with the previous one of the same branch', () => {
  test.each<[string, Made[], [worse: number, better: number], words: string]>([
    ['on one branch', [{ score: [8, 8] }, { score: [6, 8] }], [1, 0], 'Down 25 points since'],
    [
      'with others in between',
      [{ score: [8, 8] }, { branch: 'wip', score: [3, 8] }, { score: [6, 8] }],
      [1, 0],
      'Down 25 points since',
    ],
    [
      'and not with that of another branch',
      [{ score: [8, 8] }, { branch: 'wip', score: [3, 8] }],
      [0, 0],
      'First report of branch wip',
    ],
    [
      'and not if it has local changes',
      [{ score: [8, 8] }, { score: [3, 8], local: true }],
      [0, 0],
      'Not compared, because it has local changes',
    ],
    [
      'and not if it has unpushed commits',
      [{ score: [8, 8] }, { score: [3, 8], unpushed: true }],
      [0, 0],
      'Not compared, because it has unpushed commits',
    ],
    [
      'and not with one that had local changes',
      [{ score: [8, 8] }, { score: [3, 8], local: true }, { score: [8, 8] }],
      [0, 0],
      'Unchanged since',
    ],
    [
      'that names no branch, too',
      [
        { branch: null, score: [8, 8] },
        { branch: 'wip', score: [3, 8] },
        { branch: null, score: [4, 8] },
      ],
      [1, 0],
      'Down 50 points since',
    ],
  ])('%s', (_, made, moved, words) => {
    const { detail, moved: counted } = shown(...made);
    expect(counted).toEqual(moved);
    expect(detail).toContain(words);
  });
});

describe('a report is compared over the criteria that both have', () => {
  test.each<[string, Made[], [number, number], string]>([
    [
      'four new ones that fail are no fall',
      [{ score: [8, 8] }, { score: [8, 12] }],
      [0, 0],
      'Unchanged since Tue 10 Mar 2026 over 8 criteria that both have; 4 are new',
    ],
    [
      'four that failed and are gone are no rise',
      [{ score: [4, 8] }, { score: [4, 4] }],
      [0, 0],
      'Unchanged since Tue 10 Mar 2026 over 4 criteria that both have; 4 are gone',
    ],
    [
      'a fall beside new ones is a fall',
      [{ criteria: { a: 1, b: 1 } }, { criteria: { a: 1, b: 0, c: 1, d: 1, e: 1 } }],
      [1, 0],
      'Down 50 points since Tue 10 Mar 2026 over 2 criteria that both have; 3 are new',
    ],
    [
      'none in common is not compared',
      [{ criteria: { a: 1 } }, { criteria: { b: 0 } }],
      [0, 0],
      'Not compared, because no criterion is in both',
    ],
  ])('%s', (_, made, moved, words) => {
    const { detail, moved: counted } = shown(...made);
    expect(counted).toEqual(moved);
    expect(detail).toContain(words);
  });
});

describe('the news for a watch', () => {
  const newsOf = (seen: string, ...made: Made[]) =>
    newsSince(historyOf(...made).own.outlines, seen).map(({ latest, move }) => [latest.reportId, latest.branch, move]);

  test('are no report of another branch with local changes', () => {
    expect(newsOf('r0', { score: [8, 8] }, { branch: 'wip/experiment', score: [3, 8], local: true })).toEqual([]);
  });

  test('are no first report of a branch', () => {
    expect(newsOf('r0', { score: [8, 8] }, { branch: 'wip/experiment', score: [3, 8] })).toEqual([]);
  });

  test('are a fall of a branch since its first report, if all of its reports are new', () => {
    const made = [{ branch: null, score: [8, 8] }, { score: [8, 8] }, { score: [4, 8] }, { score: [6, 8] }];
    expect(newsOf('r0', ...made)).toEqual([['r3', 'main', 'fell']]);
  });

  test('are a fall of a branch, though a report of another one is newer', () => {
    expect(newsOf('r0', { score: [8, 8] }, { score: [7, 8] }, { branch: 'wip', score: [3, 8] })).toEqual([
      ['r1', 'main', 'fell'],
    ]);
  });

  test('are the last of several of a branch, compared with the one that was seen', () => {
    expect(newsOf('r0', { score: [8, 8] }, { score: [2, 8] }, { score: [7, 8] })).toEqual([['r2', 'main', 'fell']]);
    expect(newsOf('r0', { score: [8, 8] }, { score: [2, 8] }, { score: [8, 8] })).toEqual([]);
  });

  test('are no new criteria, and no dropped ones', () => {
    expect(newsOf('r0', { score: [8, 8] }, { score: [8, 12] })).toEqual([]);
    expect(newsOf('r0', { score: [4, 8] }, { score: [4, 4] })).toEqual([]);
  });

  test('are only about the latest report if the one that was seen is gone', () => {
    expect(newsOf('gone', { score: [8, 8] }, { score: [6, 8] }, { score: [7, 8] })).toEqual([['r2', 'main', 'rose']]);
  });
});

describe('a digest of the day', () => {
  const changesOf = (...made: Made[]) => changesIn(historyOf(...made).all, { first: '2026-03-11', last: '2026-03-11' });
  /** Reports a day apart: the second is of 11 March. */
  const dayApart = (...made: Made[]) => made.map((one, at) => ({ ...one, days: at }));

  test.each<[string, Made[], string[]]>([
    [
      'names the branch that fell',
      dayApart({ score: [8, 8] }, { score: [6, 8] }),
      ['acme/web (branch main): down 25 points to 75% ready'],
    ],
    [
      'says nothing of another branch with local changes',
      dayApart({ score: [8, 8] }, { branch: 'wip', score: [3, 8], local: true }),
      [],
    ],
    ['says nothing of a new branch', dayApart({ score: [8, 8] }, { branch: 'wip', score: [3, 8] }), []],
    [
      'says over how many criteria',
      dayApart({ criteria: { a: 1, b: 1 } }, { criteria: { a: 1, b: 0, c: 1 } }),
      ['acme/web (branch main): down 50 points to 67% ready over 2 criteria that both have; 1 is new'],
    ],
    ['says nothing of later days', dayApart({ score: [8, 8] }, { score: [8, 8] }, { score: [6, 8] }), []],
  ])('%s', (_, made, lines) => {
    expect(changesOf(...made)).toEqual(lines);
  });
});
