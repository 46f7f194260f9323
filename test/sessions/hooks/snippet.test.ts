import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { hookSettings } from '../../../src/sessions/hooks/commands/snippet.ts';
import { EVENT_NAMES } from '../../../src/sessions/hooks/core/event.ts';
import { freePort } from '../../support/processes/free-port.ts';
import { startServer, type BadServer } from '../../support/hooks/servers.ts';
import { hooksOf, makeHome, runInShell, setUp } from '../../support/hooks/shell.ts';

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
  test('contains neither a token nor an address, and is the same for all people', () => {
    expect(Object.keys(hooksOf())).toEqual(EVENT_NAMES);
    expect(hookSettings()).not.toMatch(/qmh_|https?:|Bearer/);
    for (const { command, timeoutMs } of Object.values(hooksOf())) {
      const longestMs = Number(/--max-time (\d+)/.exec(command)?.[1]) * 1_000;
      expect(longestMs).toBeLessThan(timeoutMs);
      expect(command).not.toMatch(/-L\b|--location/);
    }
  });

  test.each(['sh', 'bash'])(
    'sends the event with the token, which %s wrote into a file of its owner',
    async (shell) => {
      const home = join(makeHome(), 'my home');
      mkdirSync(join(home, '.quartermaster'), { recursive: true });
      // From an earlier setup, readable by all users.
      writeFileSync(join(home, '.quartermaster', 'hooks'), 'old', { mode: 0o644 });
      const got: { authorization: string | undefined; path: string | undefined; body: string }[] = [];
      const { url } = await serve((request, response) => {
        let body = '';
        request.setEncoding('utf8').on('data', (text: string) => {
          body += text;
        });
        request.on('end', () => {
          got.push({ authorization: request.headers.authorization, path: request.url, body });
          response.writeHead(204).end();
        });
      });
      const setup = await setUp(home, url, TOKEN, shell);
      expect(setup).toMatchObject({ code: 0, printed: 'Token: \nSaved.\n' });
      const file = join(home, '.quartermaster', 'hooks');
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(readFileSync(file, 'utf8')).toContain(TOKEN);
      expect(await notify(home)).toMatchObject({ code: 0, printed: '' });
      expect(got).toEqual([{ authorization: `Bearer ${TOKEN}`, path: '/hooks/v1', body: EVENT }]);
    },
  );

  test('ends successfully and silently without its file, against a dead server and against one that answers 500', async () => {
    const home = makeHome();
    expect(await notify(home)).toMatchObject({ code: 0, printed: '' });
    await setUp(home, `http://127.0.0.1:${await freePort()}`, TOKEN);
    expect(await notify(home)).toMatchObject({ code: 0, printed: '' });
    const broken = await serve((_request, response) => void response.writeHead(500).end('no'));
    await setUp(home, broken.url, TOKEN);
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
    await setUp(home, away.url, TOKEN);
    expect(await notify(home)).toMatchObject({ code: 0, printed: '' });
    expect([away.requests(), elsewhere.requests()]).toEqual([1, 0]);
  });
});
