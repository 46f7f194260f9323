import { WebClient } from '@slack/web-api';
import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { judgeBot, readBot } from '../../../src/programs/doctor/tokens.ts';
import { createLogger } from '../../../src/core/base/log.ts';
import { clientOptions } from '../../../src/core/slack/client/clients.ts';
import { readIdentity } from '../../../src/core/slack/client/identity.ts';

const ANSWER = { ok: true, team: 'Acme', team_id: 'TACME', user: 'quartermaster', user_id: 'UBOT', bot_id: 'BBOT' };

/** A Slack with this answer to auth.test. */
async function clientOf(answer: object): Promise<WebClient> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('No port');
  return new WebClient('xoxb-1', clientOptions(`http://127.0.0.1:${address.port}/api/`, createLogger('fatal', [])));
}

test('an installation in one workspace has an identity', async () => {
  const client = await clientOf({ ...ANSWER, is_enterprise_install: false });
  expect(await readIdentity(client)).toEqual({ teamId: 'TACME', botUserId: 'UBOT', botId: 'BBOT' });
});

test.each([
  ['of a whole organization', { team_id: 'E0ORG', is_enterprise_install: true }, 'whole Enterprise organization'],
  ['without a workspace', { team: null, team_id: null }, 'Slack names no workspace for SLACK_BOT_TOKEN'],
])('an installation %s ends the start and the doctor with the true reason', async (_name, identity, sentence) => {
  const client = await clientOf({ ...ANSWER, ...identity });
  await expect(readIdentity(client)).rejects.toThrow(sentence);
  await expect(readIdentity(client)).rejects.toThrow('install');
  expect(judgeBot(await readBot(client), { tools: undefined, words: true })).toEqual([
    { level: 'fault', about: 'SLACK_BOT_TOKEN', sentence: expect.stringContaining(sentence) },
  ]);
});

test('an answer of another service than Slack is a fault of the address, in one sentence', async () => {
  const client = await clientOf({ ok: true, hello: 'world' });
  await expect(readIdentity(client)).rejects.toThrow('What answers at SLACK_API_URL is not Slack’s Web API');
  const [finding] = judgeBot(await readBot(client), { tools: undefined, words: true });
  expect(finding?.sentence).toBe(
    'Slack can’t be reached: check the network and SLACK_API_URL. The answer is not from Slack’s Web API.',
  );
});
