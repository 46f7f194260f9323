import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isPlatformError } from '../../../src/core/platform/errors.ts';
import { type NextPage, eachItem } from '../../../src/core/platform/endpoints/cursor-pages.ts';
import { startScript } from './script-server.ts';
import { collect, collectPages, createTestClient, failureOf } from './test-client.ts';

interface Page {
  items: string[];
  next: NextPage;
}

const page = (items: string[], cursor?: string): Page => ({
  items,
  next: cursor === undefined ? { more: false } : { more: true, cursor },
});

/** Returns these pages in this order; a request for more of them fails. */
function listing(pages: readonly Page[]) {
  const asked: (string | undefined)[] = [];
  const items = eachItem<Page, string>({
    path: '/things',
    load: async (cursor) => {
      const next = pages[asked.length];
      asked.push(cursor);
      if (!next) throw new Error('asked for a page too many');
      return next;
    },
    items: (each) => each.items,
    next: (each) => each.next,
    key: (item) => item,
  });
  return { items, asked };
}

const report = (reportId: string) => ({
  reportId,
  createdAt: 1,
  repoUrl: 'https://g.example/r',
  apps: {},
  report: {},
});

describe('the items of all pages', () => {
  test('come in order, each page requested with the cursor of the previous one', async () => {
    const { items, asked } = listing([page(['a', 'b'], '1'), page([], '2'), page(['c'])]);
    expect(await collect(items)).toEqual(['a', 'b', 'c']);
    expect(asked).toEqual([undefined, '1', '2']);
  });

  test('are requested only as far as they are read', async () => {
    const { items, asked } = listing([page(['a', 'b'], '1')]);
    await items.next();
    await items.return();
    expect(asked).toHaveLength(1);
  });

  test('are returned once, even if pages overlap', async () => {
    const { items } = listing([page(['a', 'b'], '1'), page(['b', 'c'])]);
    expect(await collect(items)).toEqual(['a', 'b', 'c']);
  });

  test.each<[string, Page[]]>([
    ['a cursor comes back unchanged', [page(['a'], '1'), page(['b'], '1')]],
    ['a cursor comes back later', [page(['a'], '1'), page(['b'], '2'), page(['c'], '1')]],
    ['a page repeats under a new cursor', [page(['a'], '1'), page(['a'], '2')]],
    ['more is promised without a cursor', [{ items: ['a'], next: { more: true, cursor: undefined } }]],
    ['empty pages do not end', Array.from({ length: 101 }, (_, index) => page([], String(index)))],
  ])('end with pagination_loop if %s', async (_, pages) => {
    const { items } = listing(pages);
    expect(await failureOf(collect(items))).toMatchObject({ code: 'pagination_loop', path: '/things' });
  });

  test('end or fail clearly, whatever the pages contain', async () => {
    const word = fc.constantFrom('a', 'b', 'c', 'd');
    const anyPage = fc.record({
      items: fc.array(word, { maxLength: 3 }),
      next: fc.record({ more: fc.constant(true as const), cursor: fc.option(word, { nil: undefined }) }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(anyPage, { minLength: 1, maxLength: 6 }), async (pages) => {
        let asked = 0;
        const items = eachItem<Page, string>({
          path: '/things',
          load: async () => pages[asked++ % pages.length] ?? page([]),
          items: (each) => each.items,
          next: (each) => each.next,
          key: (item) => item,
        });
        const end = await collect(items).catch((error: unknown) => error);
        expect(isPlatformError(end, 'pagination_loop')).toBe(true);
      }),
    );
  });
});

describe('rows of people', () => {
  const person = (user_id: string) => ({
    user_id,
    user_email: null,
    date: '2026-03-01',
    tool_calls: 1,
    billable_tokens: 1,
    files_created: 0,
    files_edited: 0,
    git_commits: 0,
    git_prs_created: 0,
    mcp_calls: 0,
    skill_calls: 0,
    slash_commands: 0,
    hooks: 0,
    sessions: 1,
    messages: 1,
    user_messages: 1,
    assistant_messages: 0,
  });
  const usersPage = (ids: readonly string[], has_more: boolean, next_cursor?: string) => ({
    json: { data: ids.map(person), meta: { has_more, next_cursor } },
  });
  const period = { startDate: '2026-03-01', endDate: '2026-03-01' };
  const idsOf = async (address: string) =>
    (await collectPages(createTestClient(address).analytics.userPages(period))).map(({ user_id }) => user_id);

  test.each([
    ['promises more at another cursor', usersPage(['c'], true, '9')],
    ['promises more at the same cursor', usersPage(['c'], true, '2')],
    ['promises more without a cursor', usersPage(['c'], true)],
    ['is empty and promises more without a cursor', usersPage([], true)],
    ['is empty and promises more at the same cursor', usersPage([], true, '2')],
    ['says that it is the last', usersPage(['b', 'c'], false)],
  ])('end with a page without new people that %s', async (_, last) => {
    const { address, requests } = await startScript([
      usersPage(['a', 'b'], true, '1'),
      usersPage(['c'], true, '2'),
      last,
    ]);
    expect(await idsOf(address)).toEqual(['a', 'b', 'c']);
    expect(requests).toHaveLength(3);
  });

  test('of a platform that forgets the requested start are a pagination_loop, not fewer people', async () => {
    const full = Array.from({ length: 100 }, (_, index) => `u${index}`);
    const { address } = await startScript([usersPage(full, true, '1'), usersPage(full, true, '2')]);
    expect(await failureOf(collectPages(createTestClient(address).analytics.userPages(period)))).toMatchObject({
      code: 'pagination_loop',
    });
  });
});

describe('readiness reports', () => {
  test('are read until a page is empty, each page after the last report', async () => {
    const { address, requests } = await startScript([
      { json: { reports: [report('r1'), report('r2')] } },
      { json: { reports: [report('r3')] } },
      { json: { reports: [] } },
    ]);
    const reports = await collect(createTestClient(address).readiness.eachReport({ repoId: 'web' }));
    expect(reports.map(({ reportId }) => reportId)).toEqual(['r1', 'r2', 'r3']);
    expect(requests.map(({ url }) => url.split('?')[1])).toEqual([
      'repoId=web',
      'repoId=web&startAfter=r2',
      'repoId=web&startAfter=r3',
    ]);
  });

  test('are complete although a page came in another order', async () => {
    const { address } = await startScript([
      { json: { reports: [report('r2'), report('r1')] } },
      { json: { reports: [report('r3'), report('r2')] } },
      { json: { reports: [report('r3')] } },
      { json: { reports: [] } },
    ]);
    const reports = await collect(createTestClient(address).readiness.eachReport());
    expect(reports.map(({ reportId }) => reportId)).toEqual(['r2', 'r1', 'r3']);
  });

  test('of a platform that forgets the requested start are a pagination_loop after three more tries', async () => {
    const same = { json: { reports: [report('r1')] } };
    const { address } = await startScript([same, same, same, same, same]);
    const failure = await failureOf(collect(createTestClient(address).readiness.eachReport()));
    expect(failure.code).toBe('pagination_loop');
  });
});
