import { describe, expect, test } from 'vitest';
import { span, startTestPlatform, YESTERDAY } from './test-platform.ts';

const POST = { method: 'POST', key: null };
const TOKENS = `/api/v1/analytics/tokens${span()}`;

describe('the control address', () => {
  test('shows the state of the simulator without a key', async () => {
    const { ask, holdDay } = await startTestPlatform();
    holdDay(YESTERDAY);
    const { status, body } = await ask('/_sandbox/state', { key: null });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      now: '2026-11-20T10:00:00.000Z',
      people: 40,
      yesterday: YESTERDAY,
      yesterdayPublished: false,
      heldDays: [YESTERDAY],
      latestRevision: 11,
      faults: [],
    });
  });

  test('holds a day back and releases it', async () => {
    const { ask } = await startTestPlatform();
    expect(await ask(`/_sandbox/days/${YESTERDAY}/hold`, POST)).toMatchObject({
      status: 200,
      body: { heldDays: [YESTERDAY] },
    });
    expect(await ask(TOKENS)).toMatchObject({ body: { data: [] } });
    expect(await ask(`/_sandbox/days/${YESTERDAY}/release`, POST)).toMatchObject({ body: { heldDays: [] } });
    expect(await ask(TOKENS)).toMatchObject({ body: { data: [{ date: YESTERDAY }] } });
  });

  test('revises a day', async () => {
    const { ask, client } = await startTestPlatform();
    const credits = async () =>
      (await client.analytics.tokens({ startDate: YESTERDAY, endDate: YESTERDAY })).data[0]?.billable_tokens;
    const before = await credits();
    const revised = await ask(`/_sandbox/days/${YESTERDAY}/revise`, { ...POST, body: { factor: 2 } });
    expect(revised).toMatchObject({ status: 200, body: { revisedDays: { [YESTERDAY]: 2 } } });
    expect(await credits()).toBeGreaterThan((before ?? 0) * 1.4);
  });

  test('adds a revision', async () => {
    const { ask, client } = await startTestPlatform();
    const body = { settings: { cloudSessionSync: false }, email: 'morgan.manager@acme.example' };
    expect(await ask('/_sandbox/revisions', { ...POST, body })).toMatchObject({ status: 201, body: { revision: 12 } });
    expect((await client.controls.history()).changes[0]).toMatchObject({
      revision: 12,
      settings: { cloudSessionSync: false },
    });
  });

  test('adds faults, moods included, and clears them', async () => {
    const { ask } = await startTestPlatform();
    const fault = { kind: 'status', status: 500, match: { path: '/api/v1' } };
    expect(await ask('/_sandbox/faults', { ...POST, body: fault })).toMatchObject({
      status: 201,
      body: { faults: [fault] },
    });
    expect(await ask(TOKENS)).toMatchObject({ status: 500 });
    expect(await ask('/_sandbox/faults', { ...POST, body: { mood: 'worst' } })).toMatchObject({ status: 201 });
    expect(await ask('/_sandbox/faults', { method: 'DELETE' })).toMatchObject({ status: 200, body: { faults: [] } });
    expect(await ask(TOKENS)).toMatchObject({ status: 200 });
  });

  test('shows its coverage', async () => {
    const { ask } = await startTestPlatform();
    expect(await ask('/_sandbox/coverage')).toMatchObject({ status: 200, body: { coverage: expect.any(Array) } });
  });

  test.each([
    ['/_sandbox/days/tomorrow/hold', undefined, 400],
    ['/_sandbox/days/2026-11-19/revise', { factor: -1 }, 400],
    ['/_sandbox/days/2026-11-19/revise', 'factor=1', 400],
    ['/_sandbox/revisions', { settings: 7 }, 400],
    ['/_sandbox/faults', { kind: 'earthquake' }, 400],
    ['/_sandbox/anything', {}, 404],
  ])('refuses an invalid request: %s with %o', async (path, body, status) => {
    const { ask } = await startTestPlatform();
    expect(await ask(path, { ...POST, body })).toMatchObject({ status });
  });
});
