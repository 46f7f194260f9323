import { request as startRequest } from 'node:http';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { signatureHeaders } from '../../../src/sandbox/slack/transport/signature-headers.ts';
import { identityOf, personalToken, SIGNING_SECRET, startToolsApp, type ToolsScene } from '../../support/ask/tools.ts';
import { typeCommand } from '../../support/slack/conversation.ts';
import { moveClock } from '../../support/scene-clock.ts';

let scene: ToolsScene;
beforeEach(async () => {
  scene = await startToolsApp();
});
afterEach(async () => {
  await scene.close();
});

const LIST = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
const JSON_HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const nowSeconds = () => Math.floor(Date.now() / 1000);

async function post(headers: Record<string, string>, body = LIST): Promise<Response> {
  const answer = await fetch(scene.toolsUrl, { method: 'POST', headers: { ...JSON_HEADERS, ...headers }, body });
  await answer.clone().arrayBuffer();
  return answer;
}
const statusOf = async (headers: Record<string, string>, body = LIST) => (await post(headers, body)).status;
const signed = (body = LIST, atSeconds = nowSeconds()) => ({ ...signatureHeaders(SIGNING_SECRET, body, atSeconds) });

/** `fetch` sets its own Host. */
async function statusWithHost(host: string, origin?: string): Promise<number | undefined> {
  const headers = { ...JSON_HEADERS, ...signed(), host, ...(origin === undefined ? {} : { origin }) };
  const sent = startRequest(scene.toolsUrl, { method: 'POST', headers });
  sent.end(LIST);
  const [answer] = await once(sent, 'response');
  answer.resume();
  return answer.statusCode;
}

describe('the door of Slack', () => {
  test('opens for what Slack signed in the last five minutes', async () => {
    expect(await statusOf(signed())).toBe(200);
    expect(await statusOf(signed(LIST, nowSeconds() - 290))).toBe(200);
  });

  test('stays closed for unsigned, forged, old and future requests', async () => {
    expect(await statusOf({})).toBe(401);
    expect(await statusOf(signatureHeaders('another-secret', LIST))).toBe(401);
    expect(await statusOf(signed('{}'))).toBe(401);
    expect(await statusOf(signed(LIST, nowSeconds() - 310))).toBe(401);
    expect(await statusOf(signed(LIST, nowSeconds() + 310))).toBe(401);
    expect(await statusOf({ ...signed(), 'x-slack-signature': 'v0=' })).toBe(401);
    expect(await statusOf({ 'x-slack-request-timestamp': String(nowSeconds()) })).toBe(401);
  });

  test('stays closed if the request also carries a token', async () => {
    const token = await personalToken(scene, 'mia');
    expect(await statusOf({ ...signed(), authorization: `Bearer ${token}` })).toBe(401);
    expect(await statusOf({ authorization: `Bearer ${token}` })).toBe(200);
  });

  test.each([
    ['another workspace', { team_id: 'T0OTHER' }],
    ['no workspace', { team_id: null }],
    ['another workspace of the organization', { team_id: 'T0OTHER', enterprise_id: 'E0ACME' }],
    ['no workspace of an organization', { team_id: null, enterprise_id: 'E0ACME' }],
  ])('refuses a person of %s', async (_, where) => {
    const answer = await scene.slackbot.call('usage', {}, { ...identityOf('U0MORGAN'), ...where });
    expect(answer.isError).toBe(true);
    expect(answer.structuredContent).toBeUndefined();
    expect(answer.content[0]?.text).toMatch(/workspace/);
  });

  test.each([
    ['a guest', 'U0GUS', /guest/i],
    ['a person of another company', 'U0OLGA', /./],
    ['a deactivated person', 'U0DAN', /deactivated/],
    ['an unknown id', 'U0NOBODY', /./],
    ['a bot', 'USLACKBOT', /./],
  ])('refuses %s as the command does', async (_, slackId, sentence) => {
    const answer = await scene.slackbot.call('usage', {}, identityOf(slackId));
    expect(answer).toMatchObject({ isError: true });
    expect(answer.content[0]?.text).toMatch(sentence);
    expect(answer.content[0]?.text).not.toMatch(/credits/i);
  });

  test('ignores a person that the arguments name', async () => {
    const answer = await scene.slackbot.call(
      'usage',
      { user_id: 'U0MORGAN', period: 'last week', subject: 'me' },
      identityOf('U0MIA'),
    );
    expect(answer.content[0]?.text).toMatch(/your|you/i);
  });
});

describe('the door of tokens', () => {
  test('opens for the token of a person, and names no OAuth', async () => {
    const token = await personalToken(scene, 'mia');
    expect(await statusOf({ authorization: `Bearer ${token}` })).toBe(200);
    for (const authorization of ['', 'Bearer', `Basic ${token}`, `Bearer ${token}x`, `Bearer qmt_${'A'.repeat(32)}`]) {
      const answer = await post({ authorization });
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
      expect(await answer.text()).toContain('/quartermaster token');
    }
    for (const path of ['/.well-known/oauth-protected-resource', '/.well-known/oauth-authorization-server'])
      expect((await fetch(new URL(path, scene.toolsUrl))).status).toBe(404);
  });

  test('refuses before it reads the body', async () => {
    const unread = startRequest(scene.toolsUrl, { method: 'POST', headers: { 'content-length': '1000000000' } });
    unread.on('error', () => {});
    unread.write('x');
    const [answer] = await once(unread, 'response');
    expect(answer.statusCode).toBe(401);
    unread.destroy();
    const token = await personalToken(scene, 'mia');
    expect(await statusOf({ authorization: `Bearer ${token}` }, ' '.repeat(1_048_577))).toBe(413);
  });

  test('closes when the owner turns the token off, and when it ends', async () => {
    const token = await personalToken(scene, 'mia');
    await typeCommand(scene.slack, 'mia', '/quartermaster', 'token off');
    expect(await statusOf({ authorization: `Bearer ${token}` })).toBe(401);
    const second = await personalToken(scene, 'mia');
    expect(await statusOf({ authorization: `Bearer ${second}` })).toBe(200);
    await moveClock(scene, new Date(scene.clock.now().getTime() + 90 * 86_400_000));
    expect(await statusOf({ authorization: `Bearer ${second}` })).toBe(401);
  });

  test('closes when the owner leaves', async () => {
    const token = await personalToken(scene, 'mia');
    const mia = scene.slack.workspace.people.get('U0MIA');
    if (!mia) throw new Error('Mia is missing');
    mia.isDeactivated = true;
    await moveClock(scene, new Date(scene.clock.now().getTime() + 61_000));
    expect(await statusOf({ authorization: `Bearer ${token}` })).toBe(401);
    mia.isDeactivated = false;
    await moveClock(scene, new Date(scene.clock.now().getTime() + 61_000));
    expect(await statusOf({ authorization: `Bearer ${token}` })).toBe(401);
  });

  test('takes no word of the body for who asks', async () => {
    const token = await personalToken(scene, 'mia');
    const call = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'usage', arguments: { subject: 'me' }, _meta: { slack: identityOf('U0MORGAN') } },
    };
    const answer = await post({ authorization: `Bearer ${token}` }, JSON.stringify(call));
    const own = await scene.slackbot.call('usage', { subject: 'me' }, identityOf('U0MIA'));
    expect(own.isError).toBeUndefined();
    expect(await answer.text()).toContain(JSON.stringify(own.content[0]?.text).slice(1, -1));
  });
});

describe('the port', () => {
  test('answers only POST /mcp, and no other port answers for it', async () => {
    expect((await fetch(scene.toolsUrl)).status).toBe(405);
    expect((await fetch(scene.toolsUrl, { method: 'DELETE' })).status).toBe(405);
    for (const path of ['/', '/mcp/', '/healthz', '/metrics', '/hooks/v1', '/slack/events'])
      expect((await fetch(new URL(path, scene.toolsUrl), { redirect: 'manual' })).status).toBe(404);
    const other = await fetch(`http://127.0.0.1:${scene.app.port}/mcp`, {
      method: 'POST',
      headers: signed(),
      body: LIST,
    });
    expect(other.status).toBe(404);
  });

  test('refuses other hosts and pages of other sites', async () => {
    const own = new URL(scene.toolsUrl).host;
    expect(await statusWithHost(own)).toBe(200);
    expect(await statusWithHost('localhost:9465', 'http://localhost:3000')).toBe(200);
    expect(await statusWithHost('evil.example')).toBe(403);
    expect(await statusWithHost('localhost.evil.example')).toBe(403);
    expect(await statusWithHost(own, 'https://evil.example')).toBe(403);
    expect(await statusWithHost(own, 'null')).toBe(403);
  });

  test('refuses what is no request of the protocol, and answers the next one', async () => {
    for (const body of ['', '{', '[]', 'null', '{"jsonrpc":"2.0"}', '['.repeat(5000)]) {
      const answer = await post(signed(body), body);
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.status).toBeLessThan(500);
    }
    expect(await statusOf({ ...signed(), 'content-type': 'text/plain' })).toBe(415);
    expect(await statusOf(signed())).toBe(200);
  });
});

describe('with one door only', () => {
  test.each([
    ['slack', 200, 401],
    ['tokens', 401, 200],
  ])('MCP=%s leaves the other closed', async (doors, forSlack, forToken) => {
    const token = await personalToken(scene, 'mia');
    await scene.close();
    scene = await startToolsApp({ settings: { MCP: doors } });
    expect(await statusOf(signed())).toBe(forSlack);
    const own = doors === 'tokens' ? await personalToken(scene, 'mia') : token;
    expect(await statusOf({ authorization: `Bearer ${own}` })).toBe(forToken);
  });
});
