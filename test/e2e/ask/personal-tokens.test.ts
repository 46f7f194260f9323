import { afterEach, beforeEach, expect, test } from 'vitest';
import { withAsk } from '../../../src/features/ask/ask-tables.ts';
import { personalToken, startToolsApp, type ToolsScene } from '../../support/ask/tools.ts';
import { clickButton, everythingIn, nextAnswer, typeCommand } from '../../support/slack/conversation.ts';
import { nextView, openByCommand, textOfView } from '../../support/slack/modals.ts';
import { readDatabase } from '../../support/stores/databases.ts';
import { startTestApp } from '../../support/test-app.ts';
import { moveClock } from '../../support/scene-clock.ts';

let scene: ToolsScene;
beforeEach(async () => {
  scene = await startToolsApp();
});
afterEach(async () => {
  await scene.close();
});

const LIST = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });

async function statusWith(token: string): Promise<number> {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const answer = await fetch(scene.toolsUrl, { method: 'POST', headers, body: LIST });
  await answer.arrayBuffer();
  return answer.status;
}

test('a token is shown once, with the lines for two clients, and stored only as a hash', async () => {
  const first = await typeCommand(scene.slack, 'mia', '/quartermaster', 'token');
  expect(everythingIn(first)).toMatch(/claude mcp add --transport http quartermaster http:.*\/mcp --header/);
  expect(everythingIn(first)).toMatch(/mcpServers/);
  const token = /qmt_[\w-]+/.exec(first.text)?.[0] ?? '';
  const second = everythingIn(await typeCommand(scene.slack, 'mia', '/quartermaster', 'token'));
  expect(second).not.toMatch(/qmt_/);
  expect(second).toMatch(/not used yet/);
  const db = readDatabase(scene.databaseUrl);
  const rows = JSON.stringify(await withAsk(db).selectFrom('mcpTokens').selectAll().execute());
  await db.destroy();
  expect(rows).not.toContain(token.slice(4));
  expect(JSON.stringify(scene.log)).not.toContain(token);
});

test('a new token replaces the one before, on confirmation', async () => {
  const token = await personalToken(scene, 'mia');
  const status = await typeCommand(scene.slack, 'mia', '/quartermaster', 'token');
  const since = scene.slack.mark();
  await clickButton(scene.slack, 'mia', status, 'New token');
  const renewed = /qmt_[\w-]+/.exec((await nextAnswer(scene.slack, since)).text)?.[0] ?? '';
  expect([await statusWith(token), await statusWith(renewed)]).toEqual([401, 200]);
});

test('admins see who has a token, without the token, and revoke it', async () => {
  const token = await personalToken(scene, 'mia');
  const list = await openByCommand(scene.slack, 'ada', '/quartermaster', 'tokens');
  expect(textOfView(list)).toMatch(/<@U0MIA>/);
  expect(JSON.stringify(list)).not.toMatch(/qmt_/);
  const since = scene.slack.mark();
  await scene.slack.control.click({
    as: 'ada',
    source: { in: 'modal' },
    actionId: 'ask_token_revoke',
  });
  expect(textOfView(await nextView(scene.slack, since, /No one has a token/))).toMatch(/No one/);
  expect(await statusWith(token)).toBe(401);
});

test('a token outlives an answer of Slack that says nothing about its owner', async () => {
  const token = await personalToken(scene, 'mia');
  for (const error of ['user_not_found', 'user_not_visible', 'internal_error']) {
    await scene.slack.control.addFault({ method: 'users.info', kind: 'error', error });
    // The answer of the minute before is used no longer.
    await moveClock(scene, new Date(scene.clock.now().getTime() + 120_000));
    expect([error, (await statusWith(token)) >= 400]).toEqual([error, true]);
    await scene.slack.control.clearFaults({});
    await moveClock(scene, new Date(scene.clock.now().getTime() + 120_000));
    expect([error, await statusWith(token)]).toEqual([error, 200]);
  }
});

test.each([
  ['is deactivated', { isDeactivated: true }],
  ['becomes a guest', { isGuest: true }],
])('a token is deleted when its owner %s', async (_case, change) => {
  const token = await personalToken(scene, 'nora');
  await scene.slack.control.updatePerson({ person: 'nora', ...change });
  await moveClock(scene, new Date(scene.clock.now().getTime() + 120_000));
  expect(await statusWith(token)).toBe(401);
  const db = readDatabase(scene.databaseUrl);
  expect(await withAsk(db).selectFrom('mcpTokens').select('owner').execute()).toEqual([]);
  await db.destroy();
});

test('other users may neither see the list nor revoke', async () => {
  const token = await personalToken(scene, 'mia');
  const refusal = await openByCommand(scene.slack, 'morgan', '/quartermaster', 'tokens');
  expect(textOfView(refusal)).toMatch(/for admins/);
  expect(JSON.stringify(refusal)).not.toMatch(/U0MIA/);
  expect(await statusWith(token)).toBe(200);
});

test('without MCP, the command says who can turn it on', async () => {
  const plain = await startTestApp();
  try {
    const answer = await typeCommand(plain.slack, 'mia', '/quartermaster', 'token');
    expect(answer.text).toMatch(/MCP=tokens/);
  } finally {
    await plain.close();
  }
});
