import { describe, expect, test } from 'vitest';
import { startScript } from './script-server.ts';
import { collect, collectPages, createTestClient, failureOf, PERIOD } from './test-client.ts';

const MESSAGE = {
  id: 'm1',
  content: [{ id: 'c1', text: 'Hello' }],
  createdAt: 1,
  updatedAt: 2,
  isUserVisible: true,
  isError: false,
};
const HIDDEN = {
  providerOneMessageId: 'hidden-1',
  providerOneEncryptedContent: 'hidden-2',
  providerOneReasoningId: 'hidden-3',
  providerOneReasoningSummary: 'hidden-4',
  providerTwoThoughtSignature: 'hidden-5',
  chatCompletionReasoningContent: 'hidden-6',
  somethingNewer: 'hidden-7',
};

const envelope = (data: unknown[], meta: Record<string, unknown>) => ({ json: { data, meta } });

describe('a session message', () => {
  test('brings only the declared members: no reasoning, signature or encrypted content', async () => {
    const part = { id: 'c1', text: 'Hello', thinking: 'hidden-8' };
    const message = { ...MESSAGE, ...HIDDEN, content: [part], role: 'assistant' };
    const { address } = await startScript([
      { json: { messages: [message], pagination: { hasMore: false, hidden: 'hidden-9' }, reasoning: 'hidden-10' } },
    ]);
    const answer = await createTestClient(address).sessions.messages('s1');
    expect(answer.messages).toEqual([{ ...MESSAGE, role: 'assistant' }]);
    expect(JSON.stringify(answer.messages)).not.toContain('hidden');
  });

  test('is requested by role and computer, page after page', async () => {
    const { address, requests } = await startScript([
      { json: { messages: [MESSAGE], pagination: { hasMore: true, nextCursor: 'n 1' } } },
      { json: { messages: [{ ...MESSAGE, id: 'm2' }], pagination: { hasMore: false, nextCursor: null } } },
    ]);
    const options = { role: 'tool', computerId: 'c/1', limit: 1 } as const;
    const messages = await collect(createTestClient(address).sessions.eachMessage('s 1', options));
    expect(messages.map(({ id }) => id)).toEqual(['m1', 'm2']);
    expect(requests.map(({ url }) => url)).toEqual([
      '/api/v0/sessions/s%201/messages?limit=1&computerId=c%2F1&role=tool',
      '/api/v0/sessions/s%201/messages?limit=1&cursor=n+1&computerId=c%2F1&role=tool',
    ]);
  });

  test.each(['messages', 'pagination'])('page without its required "%s" is of the wrong shape', async (member) => {
    const body: Record<string, unknown> = { messages: [], pagination: { hasMore: false } };
    delete body[member];
    const { address } = await startScript([{ json: body }]);
    expect((await failureOf(createTestClient(address).sessions.messages('s1'))).code).toBe('wrong_shape');
  });
});

describe('a person in /users', () => {
  const row = {
    user_id: 'u1',
    user_email: null,
    date: '2026-11-12',
    ...Object.fromEntries(
      [
        'tool_calls billable_tokens files_created files_edited git_commits git_prs_created mcp_calls skill_calls',
        'slash_commands hooks sessions messages user_messages assistant_messages',
      ].flatMap((names) => names.split(' ').map((name) => [name, 1] as const)),
    ),
  };

  test('may have no e-mail, no model and no delegation level', async () => {
    const { address } = await startScript([envelope([row], { has_more: false })]);
    const [person] = await collectPages(createTestClient(address).analytics.userPages(PERIOD));
    expect(person).toMatchObject({ user_email: null, primary_model: null, delegation_level: null, languages: [] });
  });

  test('may lack a measure, which is then unknown: never zero, and without effect on other people', async () => {
    const rows = [
      { ...row, billable_tokens: null },
      { ...row, user_id: 'u2', sessions: undefined },
    ];
    const { address } = await startScript([envelope(rows, { has_more: false })]);
    expect(await collectPages(createTestClient(address).analytics.userPages(PERIOD))).toMatchObject([
      { user_id: 'u1', billable_tokens: null },
      { user_id: 'u2', sessions: null },
    ]);
  });

  test('is never counted with a figure that is not a number', async () => {
    const { address } = await startScript([envelope([{ ...row, billable_tokens: '7' }], { has_more: false })]);
    const failure = await failureOf(collectPages(createTestClient(address).analytics.userPages(PERIOD)));
    expect(failure.code).toBe('wrong_shape');
  });

  test('is read as long as there is a cursor, even if has_more is missing', async () => {
    const { address } = await startScript([
      envelope([row], { next_cursor: 'u1' }),
      envelope([{ ...row, user_id: 'u2' }], { next_cursor: null }),
    ]);
    expect(await collectPages(createTestClient(address).analytics.userPages(PERIOD))).toHaveLength(2);
  });
});

describe('an enterprise-control change', () => {
  test('brings unknown settings unchanged', async () => {
    const change = {
      revision: 3,
      settings: { brandNew: { deep: [true] } },
      user: null,
      updatedAt: '2026-11-01T00:00:00Z',
    };
    const { address } = await startScript([{ json: { changes: [change], pagination: { hasMore: false } } }]);
    expect((await createTestClient(address).controls.history()).changes).toEqual([
      { ...change, redaction: expect.any(Number) },
    ]);
  });
});

describe('a readiness report', () => {
  const report = {
    reportId: 'r1',
    createdAt: 1,
    repoUrl: 'https://g.example/r',
    apps: { '.': { description: 'All' } },
    report: { readme: { numerator: 1, denominator: 1, rationale: 'There is one' } },
  };

  test('may lack members that the document does not require', async () => {
    const { address } = await startScript([{ json: { reports: [report] } }]);
    expect((await createTestClient(address).readiness.reports()).reports).toEqual([report]);
  });

  test.each(['createdAt', 'repoUrl', 'apps', 'report'])('without its required "%s" is unreadable', async (name) => {
    const { address } = await startScript([{ json: { reports: [{ ...report, [name]: undefined }] } }]);
    expect((await createTestClient(address).readiness.reports()).unreadable).toEqual([
      { reportId: 'r1', problem: expect.stringContaining(name) },
    ]);
  });

  test('without an id makes its page one of the wrong shape if no other has one', async () => {
    const { address } = await startScript([
      { json: { reports: [{ ...report, reportId: undefined }] } },
      { status: 404 },
    ]);
    expect((await failureOf(createTestClient(address).readiness.reports())).code).toBe('wrong_shape');
  });

  test('that divides by zero is unreadable', async () => {
    const criterion = { numerator: 0, denominator: 0, rationale: '' };
    const { address } = await startScript([{ json: { reports: [{ ...report, report: { readme: criterion } }] } }]);
    expect((await createTestClient(address).readiness.reports()).unreadable).toHaveLength(1);
  });
});
