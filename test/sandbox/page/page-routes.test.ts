import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { onTestFinished, describe, expect, test } from 'vitest';
import { createMovableClock } from '../../../src/sandbox/demo/movable-clock.ts';
import { portOf } from '../slack/bolt-app.ts';
import { createPageRoutes, type PageOptions } from '../../../src/sandbox/page/page-routes.ts';
import { startPlatform } from '../../../src/sandbox/platform/platform.ts';

const json = { 'content-type': 'application/json' };

async function openRoutes(options: Partial<PageOptions> = {}) {
  const clock = createMovableClock(new Date('2026-03-02T07:30:00Z'), { frozen: true });
  const routes = createPageRoutes({ clock, title: 'A <page>', ...options });
  const server = createServer((request, response) => {
    if (!routes(request, response)) response.writeHead(404).end('not the page');
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
    clock.dispose();
  });
  const ask = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${portOf(server)}${path}`, init);
  const post = (path: string, body: unknown, headers: Record<string, string> = json) =>
    ask(path, { method: 'POST', headers, body: JSON.stringify(body) });
  return { ask, post, clock };
}

describe('the page', () => {
  test('is served with its title escaped and its one inline script allowed by hash', async () => {
    const { ask } = await openRoutes();
    const response = await ask('/');
    const page = await response.text();
    expect(page).toContain('<title>A &lt;page&gt;</title>');
    const [, importMap = ''] = /<script type="importmap">(.*?)<\/script>/s.exec(page) ?? [];
    const hash = createHash('sha256').update(importMap).digest('base64');
    expect(response.headers.get('content-security-policy')).toContain(`script-src 'self' 'sha256-${hash}'`);
  });

  test('can load every module, stylesheet and package that it asks for', async () => {
    const { ask } = await openRoutes();
    const seen = new Set<string>();
    const visit = async (path: string): Promise<void> => {
      if (seen.has(path)) return;
      seen.add(path);
      const response = await ask(path);
      expect(`${path} ${response.status}`).toBe(`${path} 200`);
      const source = await response.text();
      const imports = [...source.matchAll(/(?:from|href=|src=)\s*['"]([./][^'"]*)['"]/g)];
      for (const [, target = ''] of imports) await visit(new URL(target, `http://page.test${path}`).pathname);
    };
    await visit('/');
    expect(seen.size).toBeGreaterThan(70);
    for (const name of ['preact', 'preact-hooks', 'htm', 'htm-preact']) {
      expect((await ask(`/vendor/${name}.js`)).status).toBe(200);
    }
  });

  test('gets its modules without types', async () => {
    const { ask } = await openRoutes();
    const response = await ask('/assets/v1/core/json.ts');
    expect(response.headers.get('content-type')).toContain('text/javascript');
    const source = await response.text();
    expect(source).toContain('export function recordOf(value');
    expect(source).not.toContain(': unknown');
  });

  test.each([
    '/assets/main.ts',
    '/assets/v1/../../page-routes.ts',
    '/assets/v1/%2e%2e/page-routes.ts',
    '/assets/v1/tsconfig.json',
    '/assets/v1/nothing.ts',
    '/vendor/zod.js',
  ])('does not serve %s', async (path) => {
    const { ask } = await openRoutes();
    expect((await ask(path)).status).toBe(404);
  });

  test('leaves other paths to other handlers, and answers only reads', async () => {
    const { ask, post } = await openRoutes();
    expect(await (await ask('/api/auth.test')).text()).toBe('not the page');
    expect((await post('/', {})).status).toBe(405);
  });

  test('receives its introduction, hints, steps and roles', async () => {
    const tour = [{ title: 'Ask', text: 'Opens a form.', as: 'mia', channel: 'dm' }];
    const { ask } = await openRoutes({
      introduction: 'This is it.',
      hints: ['Try it'],
      tour,
      roles: { morgan: 'manager' },
    });
    const result = {
      title: 'A <page>',
      introduction: 'This is it.',
      hints: ['Try it'],
      tour,
      roles: { morgan: 'manager' },
      hasPlatform: false,
      hasSlackbot: false,
    };
    expect(await (await ask('/sandbox/page')).json()).toEqual({ ok: true, result });
  });
});

describe('the clock', () => {
  test('is read and moved', async () => {
    const { ask, post, clock } = await openRoutes();
    expect(await (await ask('/sandbox/clock')).json()).toEqual({ ok: true, now: '2026-03-02T07:30:00.000Z' });
    const moved = await post('/sandbox/clock', { moveTo: '2026-03-03T09:00:00+01:00' });
    expect(await moved.json()).toEqual({ ok: true, now: '2026-03-03T08:00:00.000Z' });
    expect(clock.now()).toEqual(new Date('2026-03-03T08:00:00Z'));
  });

  test('is not moved by a malformed instant, nor by another website', async () => {
    const { post, clock } = await openRoutes();
    expect((await post('/sandbox/clock', { moveTo: 'tomorrow' })).status).toBe(400);
    const good = { moveTo: '2026-03-03T08:00:00Z' };
    expect((await post('/sandbox/clock', good, { 'content-type': 'text/plain' })).status).toBe(403);
    expect((await post('/sandbox/clock', good, { ...json, origin: 'https://elsewhere.example' })).status).toBe(403);
    expect(clock.now()).toEqual(new Date('2026-03-02T07:30:00Z'));
  });
});

describe('the simulated Slackbot', () => {
  test('is asked as a person, by the page itself alone', async () => {
    const { post } = await openRoutes({
      askSlackbot: (as, asked) => Promise.resolve({ text: `${as}: ${JSON.stringify(asked)}` }),
    });
    const good = { as: 'U0MIA', question: 'Will I run out?' };
    const answer = await post('/sandbox/slackbot', good);
    expect(await answer.json()).toEqual({ ok: true, result: { text: 'U0MIA: "Will I run out?"' } });
    const clicked = await post('/sandbox/slackbot', {
      as: 'U0MIA',
      question: { action_id: 'tool:limits', value: '{}' },
    });
    expect(await clicked.json()).toMatchObject({ result: { text: 'U0MIA: {"action_id":"tool:limits","value":"{}"}' } });
    expect((await post('/sandbox/slackbot', { as: 'U0MIA', question: { action_id: 'tool:limits' } })).status).toBe(400);
    expect((await post('/sandbox/slackbot', { as: 'U0MIA' })).status).toBe(400);
    expect((await post('/sandbox/slackbot', good, { ...json, origin: 'https://elsewhere.example' })).status).toBe(403);
  });
});

describe("the platform's control", () => {
  test('is reached through the page’s own server', async () => {
    const platformClock = createMovableClock(new Date('2026-03-02T07:30:00Z'), { frozen: true });
    const platform = await startPlatform({ clock: platformClock, people: 5 });
    onTestFinished(() => platform.close());
    const { ask, post } = await openRoutes({ platformControlUrl: `${platform.baseUrl}/_sandbox` });
    expect(await (await ask('/sandbox/platform/state')).json()).toMatchObject({ people: 5, heldDays: [] });
    expect((await post('/sandbox/platform/days/2026-03-01/hold', {})).status).toBe(200);
    expect(await (await ask('/sandbox/platform/state')).json()).toMatchObject({ heldDays: ['2026-03-01'] });
    expect((await post('/sandbox/platform/faults', { kind: 'html' })).status).toBe(201);
    expect((await ask('/sandbox/platform/faults', { method: 'DELETE' })).status).toBe(200);
    expect((await post('/sandbox/platform/days/2026-03-01/revise', { factor: -1 })).status).toBe(400);
    expect((await post('/sandbox/platform/faults', { kind: 'html' }, { 'content-type': 'text/plain' })).status).toBe(
      403,
    );
    platformClock.dispose();
  });

  test('is reported as missing or unreachable, not silently ignored', async () => {
    const without = await openRoutes();
    expect((await without.ask('/sandbox/platform/state')).status).toBe(404);
    const unreachable = await openRoutes({ platformControlUrl: 'http://127.0.0.1:9/_sandbox' });
    const response = await unreachable.ask('/sandbox/platform/state');
    expect(response.status).toBe(502);
    expect(await response.json()).toMatchObject({ error: 'platform_unreachable' });
  });
});
