import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ReadinessReport } from '../../../src/core/platform/endpoints/readiness.ts';
import { buildDetail } from '../../../src/features/readiness/reports/detail.ts';
import { buildOverview, matchRepository } from '../../../src/features/readiness/reports/overview.ts';
import { createReportsFold } from '../../../src/features/readiness/reports/reports-fold.ts';
import { ageWords, changeWords, checksCell, scoreWords } from '../../../src/features/readiness/views/sentences.ts';
import { detailParagraphs, restParagraphs } from '../../../src/features/readiness/views/detail-view.ts';
import { readRepository } from '../../../src/features/readiness/reports/repository.ts';

const NOW = new Date('2026-03-02T07:00:00Z');

interface ReportOptions {
  repo?: string;
  at: number;
  id?: string;
  /** Passing and evaluated sub-applications, by criterion. */
  criteria: Record<string, [number, number]>;
}

function report({ repo = 'acme/web', at, id = `r${at}`, criteria }: ReportOptions): ReadinessReport {
  return {
    reportId: id,
    createdAt: at,
    repoUrl: `https://git.acme.example/${repo}`,
    apps: {},
    report: Object.fromEntries(
      Object.entries(criteria).map(([criterion, [numerator, denominator]]) => [
        criterion,
        { numerator, denominator, rationale: `why ${criterion}` },
      ]),
    ),
  };
}

function fold(reports: readonly ReadinessReport[]) {
  const all = createReportsFold();
  for (const one of reports) all.add(one);
  return all.repositories();
}

const readingOf = (repositories: ReturnType<typeof fold>) => ({ repositories, unreadable: 0, readAt: NOW });

describe('a skipped criterion', () => {
  const skipping = (at: number, numerators: Record<string, number | null>): ReadinessReport => ({
    ...report({ at, criteria: {} }),
    report: Object.fromEntries(
      Object.entries(numerators).map(([id, numerator]) => [id, { numerator, denominator: 1, rationale: '' }]),
    ),
  });

  test('counts in no share, no comparison and no list of failures, and is named', () => {
    const all = fold([skipping(1, { a: 1, b: 0, c: null }), skipping(2, { a: 1, b: null, c: 0 })]);
    const [row] = buildOverview(readingOf(all), '').rows;
    expect(row?.score).toEqual({ passed: 1, criteria: 2, numerator: 1, denominator: 2 });
    expect(row?.comparison).toMatchObject({ kind: 'compared', change: 0, shared: 1 });
    const [one] = all;
    if (!one) throw new Error('There is one repository');
    const detail = buildDetail(one, all);
    expect(detail.criteria.map(({ id }) => id)).toEqual(['c', 'a']);
    expect(detail.easiestFixes.map(({ criterion }) => criterion.id)).toEqual(['c']);
    expect(JSON.stringify(restParagraphs(detail, NOW))).toContain('Not evaluated, and in no share: b.');
  });
});

describe('the label of a repository among others', () => {
  const labelsOf = (...urls: string[]) => {
    const all = createReportsFold();
    for (const [at, repoUrl] of urls.entries())
      all.add({ reportId: `r${at}`, createdAt: at, repoUrl, apps: {}, report: {} });
    return all.repositories().map(({ repository }) => repository.label);
  };

  test.each([
    [
      ['https://a.example/acme/web', 'https://a.example/acme/api'],
      ['acme/web', 'acme/api'],
    ],
    [
      [
        'https://a.example/acme/shop/team/web',
        'https://a.example/acme/mobile/team/web',
        'https://a.example/acme/team/api',
      ],
      ['shop/team/web', 'mobile/team/web', 'team/api'],
    ],
    // The shorter path is the tail of the longer one, so the longer one gets a word more.
    [
      ['https://a.example/team/web', 'https://a.example/acme/Team/web'],
      ['a.example/team/web', 'acme/Team/web'],
    ],
    [
      ['https://a.example/acme/web', 'https://b.example/acme/web'],
      ['a.example/acme/web', 'b.example/acme/web'],
    ],
    [
      ['https://dev.azure.com/acme/shop/_git/web', 'https://dev.azure.com/acme/floor/_git/web'],
      ['shop/web', 'floor/web'],
    ],
    [['https://a.example/acme/web', 'git@a.example:acme/web.git'], ['acme/web']],
  ])('of %j is %j', (urls, labels) => expect(labelsOf(...urls)).toEqual(labels));

  test('is never that of another', () => {
    const name = fc.constantFrom('web', 'Web', 'api', 'shop', 'team');
    const url = fc
      .tuple(fc.constantFrom('a.example', 'b.example'), fc.array(name, { minLength: 1, maxLength: 4 }))
      .map(([host, names]) => `https://${host}/${names.join('/')}`);
    fc.assert(
      fc.property(fc.array(url, { maxLength: 12 }), (urls) => {
        const labels = labelsOf(...urls).map((label) => label.toLowerCase());
        expect(new Set(labels).size).toBe(labels.length);
      }),
    );
  });
});

describe('the address of a repository', () => {
  test.each([
    ['https://git.acme.example/acme/web', 'acme/web'],
    ['https://git.acme.example/acme/web.git', 'acme/web'],
    ['https://GIT.acme.example/Acme/Web/', 'Acme/Web'],
    ['git@git.acme.example:acme/web.git', 'acme/web'],
    ['ssh://git@git.acme.example/acme/web', 'acme/web'],
  ])('%s is %s, and one repository', (url, label) => {
    expect(readRepository(url)).toMatchObject({ label, key: 'git.acme.example/acme/web' });
  });

  const CREDENTIALS = [
    'MARKER',
    'user:MARKER',
    'MARKER:x-oauth-basic',
    'user:to#MARKER',
    'user:to?MARKER',
    'user:p@ss/MARKER',
    'user:MARKER/p@ss.word',
    'p/MARKER',
    'user:MARK%40ER%2FMARKER',
    'user MARKER:pass word',
    'user:[MARKER]',
    'user:MARKER:8080',
    ':MARKER',
    'user:%ZZMARKER',
    'user@acme.example:MARKER',
  ];
  const SPELLINGS = [
    'https://{}@git.acme.example/acme/web.git',
    'http://{}@git.acme.example:3000/acme/web',
    'https://{}@git.acme.example:acme/web',
    'https:/{}@git.acme.example/acme/web',
    'git+https://{}@git.acme.example/acme/web',
    'ssh://{}@git.acme.example:2222/acme/web',
    'ssh://{}@git.acme.example:acme/web.git',
    '{}@git.acme.example:acme/web.git',
    '{}@git.acme.example/acme/web',
    '{}@gitea/acme/web',
    'https://{}@[::1]:3000/acme/web',
    'https://{}@git.acme.example:port/acme/web',
    '  https://{}@git.acme.example/acme/web  ',
    'https://git.acme.example/acme/web?access_token={}',
    'https://git.acme.example/acme/web#{}',
  ];
  const cases = SPELLINGS.flatMap((spelling) => CREDENTIALS.map((credentials) => spelling.replace('{}', credentials)));

  test.each(cases)('never shows the credentials in %s', (address) => {
    const repository = readRepository(address);
    expect(JSON.stringify(repository)).not.toMatch(/MARK|user|oauth|pass|p@ss/);
  });

  // A query of an address with an @ may take the name along.
  test.each(cases.filter((address) => !/[?#].*@/.test(address)))(
    'shows the name of the repository in %s',
    (address) => {
      expect(readRepository(address).label).toBe('acme/web');
    },
  );

  test.each([
    'https://user:MARKER%40git.acme.example/acme/web%zz',
    'https://user:MARKER%40git.acme.example/acme/web%ff',
    'https://MARKER%40git.acme.example/%e0%a4%a/acme/web',
  ])('never shows the credentials in %s, an escape of which is invalid', (address) => {
    expect(JSON.stringify(readRepository(address))).not.toMatch(/MARK|user/);
  });

  test('never shows a token in its path', () => {
    const shown = JSON.stringify(
      readRepository('https://git.acme.example/ghp_16C7e42F292c6912E7710c838347Ae178B4a/web'),
    );
    expect(shown).not.toContain('ghp_');
    expect(shown).toContain('…/web');
  });

  test.each([
    ['https://git.acme.example/acme/web@2', 'git.acme.example/acme/web@2', 'acme/web@2'],
    ['git@git.acme.example:acme/web@2.git', 'git.acme.example/acme/web@2', 'acme/web@2'],
    ['https://git.acme.example:8443/acme/web', 'git.acme.example:8443/acme/web', 'acme/web'],
    ['https://git.acme.example:443/acme/web', 'git.acme.example/acme/web', 'acme/web'],
    ['ssh://git@git.acme.example:7999/acme/web.git', 'git.acme.example/acme/web', 'acme/web'],
    ['https://git.acme.example/acme/r%26d', 'git.acme.example/acme/r&d', 'acme/r&d'],
    ['https://gitea:3000/acme/web', 'gitea:3000/acme/web', 'acme/web'],
    ['git.acme.example/acme/web', 'git.acme.example/acme/web', 'acme/web'],
    ['acme/web', 'acme/web', 'acme/web'],
    ['/home/mia/src/acme/web', 'home/mia/src/acme/web', 'acme/web'],
    ['https://git.acme.example', 'git.acme.example', 'git.acme.example'],
    ['', '', 'unnamed'],
    ['@', '', 'unnamed'],
  ])('%s keeps its name', (address, key, label) => {
    expect(readRepository(address)).toMatchObject({ key, label });
  });

  // https://learn.microsoft.com/en-us/azure/devops/repos/git/use-ssh-keys-to-authenticate
  test.each([
    'https://dev.azure.com/acme/Shop%20floor/_git/web',
    'https://acme@dev.azure.com/acme/Shop floor/_git/web',
    'https://me:to#ken@dev.azure.com/acme/shop%20floor/_git/web/',
    'git@ssh.dev.azure.com:v3/acme/Shop%20floor/web',
    'ssh://git@ssh.dev.azure.com/v3/acme/Shop%20floor/web',
    'ssh://git@ssh.dev.azure.com:22/v3/acme/Shop%20floor/web',
    'https://acme.visualstudio.com/Shop%20floor/_git/web',
    'https://acme.visualstudio.com/DefaultCollection/Shop%20floor/_git/web',
    'acme@vs-ssh.visualstudio.com:v3/acme/Shop%20floor/web',
    'ssh://acme@acme.visualstudio.com:22/Shop%20floor/_ssh/web',
  ])('%s is one repository of Azure DevOps', (url) => {
    const { key, label } = readRepository(url);
    expect(key).toBe('dev.azure.com/acme/shop floor/web');
    expect(label.toLowerCase()).toBe('shop floor/web');
  });

  test.each([
    // The repository that has the name of its project.
    ['https://dev.azure.com/acme/_git/web', 'dev.azure.com/acme/web/web', 'web/web'],
    ['git@ssh.dev.azure.com:v3/acme/web/web', 'dev.azure.com/acme/web/web', 'web/web'],
    [
      'https://tfs.acme.example/tfs/DefaultCollection/shop/_git/web',
      'tfs.acme.example/tfs/defaultcollection/shop/web',
      'shop/web',
    ],
    ['https://v3.acme.example/v3/web', 'v3.acme.example/v3/web', 'v3/web'],
    // A port of ssh says nothing about the repository, in either way to write it.
    ['git@git.acme.example:7999/acme/web.git', 'git.acme.example/acme/web', 'acme/web'],
    ['ssh://git.acme.example:7999/acme/web.git', 'git.acme.example/acme/web', 'acme/web'],
    ['git+ssh://git@git.acme.example:2222/acme/web', 'git.acme.example/acme/web', 'acme/web'],
    ['git@git.acme.example:22/acme/web', 'git.acme.example/acme/web', 'acme/web'],
    ['https://gitlab.acme.example/acme/shop/team/web', 'gitlab.acme.example/acme/shop/team/web', 'team/web'],
    ['git@gitlab.acme.example:acme/shop/team/web.git', 'gitlab.acme.example/acme/shop/team/web', 'team/web'],
  ])('%s has one key and label', (url, key, label) => expect(readRepository(url)).toMatchObject({ key, label }));

  test('its key is read as the same key again, so that stored ones of earlier versions are found', () => {
    for (const stored of [
      'dev.azure.com/acme/shop/_git/web',
      'ssh.dev.azure.com/v3/acme/shop/web',
      'vs-ssh.visualstudio.com/v3/acme/shop/web',
      'acme.visualstudio.com/shop/_git/web',
      'acme.visualstudio.com/defaultcollection/shop/_git/web',
      'dev.azure.com/acme/shop/web',
    ])
      expect(readRepository(stored).key).toBe('dev.azure.com/acme/shop/web');
  });

  test('that is no address is its own name', () => {
    expect(readRepository('local checkout')).toEqual({
      key: 'local checkout',
      label: 'local checkout',
      fullName: 'local checkout',
      url: undefined,
    });
  });
});

describe('the latest report', () => {
  test('is the one of the latest time, at equal times of the greater id, in any order', () => {
    const reports = fc.uniqueArray(
      fc.record({
        repo: fc.constantFrom('acme/web', 'acme/api', 'acme/docs'),
        at: fc.integer({ min: 1, max: 5 }),
        id: fc.uuid(),
        passes: fc.integer({ min: 0, max: 3 }),
      }),
      { selector: ({ id }) => id, minLength: 1, maxLength: 30 },
    );
    fc.assert(
      fc.property(reports, (options) => {
        const made = options.map(({ passes, ...rest }) => report({ ...rest, criteria: { tests: [passes, 3] } }));
        for (const { repository, latest, outlines } of fold(made)) {
          const own = made.filter((one) => readRepository(one.repoUrl).key === repository.key);
          const expected = own.reduce((best, one) =>
            one.createdAt > best.createdAt || (one.createdAt === best.createdAt && one.reportId > best.reportId)
              ? one
              : best,
          );
          expect(latest.reportId).toBe(expected.reportId);
          expect(outlines[0]?.reportId).toBe(expected.reportId);
          expect(outlines).toHaveLength(own.length);
        }
      }),
    );
  });

  test('of thousands of repositories is found, and the least ready comes first', () => {
    const made = Array.from({ length: 20_000 }, (_, index) => {
      const repo = index % 2_000;
      // Shuffled: a step that shares no factor with the number of reports visits each once.
      const at = Math.floor(((index * 7_919) % 20_000) / 2_000);
      return report({ repo: `acme/r${repo}`, at, id: `${repo}-${at}-${index}`, criteria: { tests: [repo % 7, 7] } });
    });
    const overview = buildOverview(readingOf(fold(made)), '');
    expect(overview.rows).toHaveLength(2_000);
    const parts = overview.rows.map(({ score }) => score.numerator / score.denominator);
    expect(parts).toEqual(parts.toSorted((a, b) => a - b));
  });
});

describe('the overview', () => {
  test('counts a criterion as passed only if every sub-application passes it', () => {
    const [row] = buildOverview(
      readingOf(fold([report({ at: 1, criteria: { a: [2, 2], b: [1, 2], c: [0, 1] } })])),
      '',
    ).rows;
    expect(row?.score).toEqual({ passed: 1, criteria: 3, numerator: 3, denominator: 5 });
    expect(row?.comparison).toEqual({ kind: 'first' });
  });

  test('names the repositories that fell and rose since the previous report', () => {
    const overview = buildOverview(
      readingOf(
        fold([
          report({ repo: 'acme/up', at: 1, criteria: { a: [0, 2] } }),
          report({ repo: 'acme/up', at: 2, criteria: { a: [1, 2] } }),
          report({ repo: 'acme/down', at: 1, criteria: { a: [2, 2] } }),
          report({ repo: 'acme/down', at: 2, criteria: { a: [1, 2] } }),
          report({ repo: 'acme/new', at: 1, criteria: { a: [2, 2] } }),
        ]),
      ),
      '',
    );
    expect(overview).toMatchObject({ better: 1, worse: 1, ready: 1, all: 3 });
  });

  test('does not count a report without criteria as one that passes all of them', () => {
    const repositories = fold([
      report({ repo: 'acme/none', at: 1, criteria: {} }),
      report({ repo: 'acme/all', at: 1, criteria: { a: [2, 2] } }),
    ]);
    const overview = buildOverview(readingOf(repositories), '');
    expect(overview).toMatchObject({ ready: 1, all: 2 });
    const [empty] = overview.rows;
    expect(empty && scoreWords(empty.score)).toBe('No criteria');
    expect(empty && checksCell(empty.score)).toEqual({ value: 0, text: '–' });
  });
});

describe('the share of passed checks', () => {
  const scored = (numerator: number, denominator: number) => ({
    passed: numerator,
    criteria: denominator,
    numerator,
    denominator,
  });

  test.each([
    [0, 400, '0%'],
    [1, 400, '<1%'],
    [398, 400, '>99%'],
    [399, 400, '>99%'],
    [400, 400, '100%'],
    [300, 400, '75%'],
  ])('of %d of %d is %s in the table and in the sentence', (passed, all, share) => {
    expect(checksCell(scored(passed, all))).toMatchObject({ text: share });
    expect(scoreWords(scored(passed, all))).toContain(`${share} ready: `);
  });

  test('is drawn as neither none nor all unless it is', () => {
    const history = [0, 1, 4999, 5000].map((passed, at) => report({ at, criteria: { a: [passed, 5000] } }));
    const all = fold(history);
    const [own] = all;
    const paragraphs = own ? restParagraphs(buildDetail(own, all), NOW) : [];
    const drawn = JSON.stringify(paragraphs.flatMap(({ blocks }) => blocks));
    expect(drawn.match(/"value":[\d.]+/g)?.slice(0, 4)).toEqual([
      '"value":0',
      '"value":0.1',
      '"value":99.9',
      '"value":100',
    ]);
  });

  test('that moved from some to all did not move by all', () => {
    expect([changeWords(1 - 1 / 400), changeWords(1), changeWords(1 / 400)]).toEqual([
      'up 99 points',
      'up 100 points',
      'up less than 1 point',
    ]);
  });
});

describe('the list of failed criteria', () => {
  const detailOf = (criteria: Record<string, [number, number]>): string => {
    const all = fold([report({ at: 1, criteria })]);
    const [own] = all;
    const paragraphs = own ? detailParagraphs(buildDetail(own, all), NOW) : [];
    return paragraphs.flatMap(({ lines }) => lines).join('\n');
  };

  test('has counts only if a repository holds more than one application', () => {
    expect(detailOf({ readme: [0, 1] })).toContain('What fails: readme, since the first report');
    expect(detailOf({ readme: [1, 3] })).toContain('What fails: readme: 1 of 3 pass, since the first report');
  });

  test('has up to five names; the rest is behind a click', () => {
    const criteria = Object.fromEntries(
      Array.from({ length: 8 }, (_, index) => [`c${index}`, [0, 1] as [number, number]]),
    );
    expect(detailOf(criteria)).toContain('3 more under Details.');
  });
});

describe('the age of a report', () => {
  test.each([
    ['2026-11-20T23:50:00Z', '2026-11-21T00:10:00Z', 'yesterday'],
    ['2026-11-20T00:10:00Z', '2026-11-20T23:50:00Z', 'today'],
    ['2026-11-18T23:00:00Z', '2026-11-21T01:00:00Z', '3 days ago'],
    ['2026-11-21T00:05:00Z', '2026-11-20T23:59:00Z', 'today'],
  ])('of %s at %s counts UTC dates: %s', (created, now, words) => {
    expect(ageWords(Date.parse(created), new Date(now))).toBe(words);
  });

  test('is omitted if its time is not a date', () => {
    expect(ageWords(9e15, NOW)).toBe('unknown day');
  });
});

describe('a word after /readiness', () => {
  const all = fold(['acme/web', 'acme/website', 'other/api'].map((repo) => report({ repo, at: 1, criteria: {} })));
  const match = (word: string) => matchRepository(all, word, readRepository(word).key);

  test.each([
    ['https://git.acme.example/acme/web.git', 'acme/web'],
    ['ACME/web', 'acme/web'],
    ['web', 'acme/web'],
    ['api', 'other/api'],
    ['webs', 'acme/website'],
  ])('“%s” means %s', (word, label) => {
    expect(match(word)).toMatchObject({ kind: 'one', reports: { repository: { label } } });
  });

  test('that is in several names means none of them', () => {
    expect(match('acme')).toMatchObject({
      kind: 'several',
      repositories: [{ label: 'acme/web' }, { label: 'acme/website' }],
    });
    expect(match('nothing')).toEqual({ kind: 'none' });
  });
});

describe('one repository', () => {
  const detailOf = (reports: ReadinessReport[]) => {
    const all = fold(reports);
    const own = all.find(({ repository }) => repository.label === 'acme/web');
    if (!own) throw new Error('no such repository');
    return buildDetail(own, all);
  };

  test('lists failed criteria first, since when they fail, and why', () => {
    const detail = detailOf([
      report({ at: 1, criteria: { tests: [1, 1], lint: [1, 1], docs: [0, 1] } }),
      report({ at: 2, criteria: { tests: [0, 1], lint: [1, 1], docs: [0, 1] } }),
      report({ at: 3, criteria: { tests: [0, 1], lint: [1, 1], docs: [0, 1] } }),
    ]);
    expect(detail.criteria.map(({ id, isPassed, since }) => [id, isPassed, since])).toEqual([
      ['docs', false, undefined],
      ['tests', false, 2],
      ['lint', true, undefined],
    ]);
    expect(detail.criteria[0]?.rationale).toBe('why docs');
  });

  test('shows improvements and regressions since the previous report, not new criteria', () => {
    const detail = detailOf([
      report({ at: 1, criteria: { a: [1, 2], b: [2, 2], c: [1, 1] } }),
      report({ at: 2, criteria: { a: [2, 2], b: [1, 2], c: [1, 1], d: [0, 1] } }),
    ]);
    expect(detail).toMatchObject({ better: ['a'], worse: ['b'] });
  });

  test('names the cheapest wins: fewest missing, then most passed elsewhere', () => {
    const detail = detailOf([
      report({ at: 1, criteria: { many: [0, 5], rare: [4, 5], usual: [4, 5], fine: [5, 5], half: [3, 5] } }),
      report({ repo: 'acme/a', at: 1, criteria: { usual: [1, 1], rare: [0, 1] } }),
      report({ repo: 'acme/b', at: 1, criteria: { usual: [1, 1] } }),
    ]);
    expect(
      detail.easiestFixes.map(({ criterion, missing, passedElsewhere, reportedElsewhere: askedElsewhere }) => [
        criterion.id,
        missing,
        passedElsewhere,
        askedElsewhere,
      ]),
    ).toEqual([
      ['usual', 1, 2, 2],
      ['rare', 1, 0, 1],
      ['half', 2, 0, 0],
    ]);
  });
});
