import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { hookSettings } from '../../../../src/features/sessions/hooks/commands/snippet.ts';
import { EVENT_NAMES } from '../../../../src/features/sessions/hooks/core/event.ts';
import { freePort } from '../../../support/processes/free-port.ts';
import { startServer, type BadServer } from '../../../support/hooks/servers.ts';
import { CODE, hooksOf, makeHome, runInShell, setUp, TOKEN_FILE } from '../../../support/hooks/shell.ts';

const TOKEN = `qmh_${'a1_-'.repeat(8)}`;
const EVENT = JSON.stringify({ hook_event_name: 'Notification', session_id: 's1', cwd: '/web', message: 'May I?' });

const servers: BadServer[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});
const serve = async (...[answer]: Parameters<typeof startServer>) => {
  const server = await startServer(answer);
  servers.push(server);
  return server;
};
const notify = (home: string) => runInShell(hooksOf()['Notification']?.command ?? '', { home, input: EVENT });

describe('the script of the client', () => {
  test('contains a code that works for an hour and no token, and ends within its time', () => {
    expect(Object.keys(hooksOf())).toEqual(EVENT_NAMES);
    expect(hookSettings({ url: 'https://bot.acme.example', code: CODE })).not.toMatch(/qmh_[\w-]{8}/);
    for (const { command, timeoutMs } of Object.values(hooksOf())) {
      const limits = [...command.matchAll(/curl -[a-z]+m(\d+)/g)].map(([, seconds]) => Number(seconds) * 1_000);
      expect(limits.length).toBeGreaterThan(0);
      expect(limits.reduce((sum, limit) => sum + limit, 0)).toBeLessThan(timeoutMs);
      expect(command).not.toMatch(/-L\b|--location/);
    }
  });

  test.each(['sh', 'bash'])(
    'pasted once, exchanges its code in %s, stores the token for its owner alone, and sends each event with it',
    async (shell) => {
      const home = join(makeHome(), 'my home');
      mkdirSync(home);
      const got: { authorization: string | undefined; path: string | undefined; body: string }[] = [];
      const { url } = await serve((request, response) => {
        let body = '';
        request.setEncoding('utf8').on('data', (text: string) => {
          body += text;
        });
        request.on('end', () => {
          const { authorization } = request.headers;
          got.push({ authorization, path: request.url, body });
          if (authorization === `Bearer ${CODE}`) response.writeHead(200).end(TOKEN);
          else response.writeHead(204).end();
        });
      });
      const { command = '' } = hooksOf(hookSettings({ url, code: CODE }))['Notification'] ?? {};
      for (const _time of ['first', 'second'])
        expect(await runInShell(command, { home, input: EVENT, shell })).toMatchObject({ code: 0, printed: '' });
      expect(statSync(join(home, TOKEN_FILE)).mode & 0o777).toBe(0o600);
      expect(readFileSync(join(home, TOKEN_FILE), 'utf8')).toContain(TOKEN);
      const event = { authorization: `Bearer ${TOKEN}`, path: '/hooks/v1', body: EVENT };
      expect(got).toEqual([{ authorization: `Bearer ${CODE}`, path: '/hooks/v1', body: '' }, event, event]);
    },
  );

  test.each(['no token', `${TOKEN}"\noutput = "/tmp/elsewhere`, `${TOKEN}\nproxy = "http://elsewhere"`])(
    'writes nothing if the answer to its code is not a token: %j',
    async (answer) => {
      const home = makeHome();
      const { url } = await serve((_request, response) => void response.writeHead(200).end(answer));
      const { command = '' } = hooksOf(hookSettings({ url, code: CODE }))['Notification'] ?? {};
      expect(await runInShell(command, { home, input: EVENT })).toMatchObject({ code: 0, printed: '' });
      expect(existsSync(join(home, TOKEN_FILE))).toBe(false);
    },
  );

  test('ends successfully and silently without its file, against a dead server and against one that answers 500', async () => {
    const home = makeHome();
    expect(await notify(home)).toMatchObject({ code: 0, printed: '' });
    setUp(home, `http://127.0.0.1:${await freePort()}`, TOKEN);
    expect(await notify(home)).toMatchObject({ code: 0, printed: '' });
    const broken = await serve((_request, response) => void response.writeHead(500).end('no'));
    setUp(home, broken.url, TOKEN);
    expect(await notify(home)).toMatchObject({ code: 0, printed: '' });
    expect(broken.requests()).toBe(1);
  });

  test('follows no redirect, even if the user’s own settings of curl enable it', async () => {
    const home = makeHome();
    writeFileSync(join(home, '.curlrc'), 'location\nverbose\ntrace-ascii = -\n');
    const elsewhere = await serve((_request, response) => void response.writeHead(204).end());
    const away = await serve(
      (_request, response) => void response.writeHead(307, { location: `${elsewhere.url}/hooks/v1` }).end(),
    );
    setUp(home, away.url, TOKEN);
    expect(await notify(home)).toMatchObject({ code: 0, printed: '' });
    expect([away.requests(), elsewhere.requests()]).toEqual([1, 0]);
  });
});
