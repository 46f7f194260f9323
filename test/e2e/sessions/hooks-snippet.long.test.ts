import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { copiedFrom, directMessage, startHooksApp } from '../../support/hooks/hooks.ts';
import { startServer, startSocketServer, type BadServer } from '../../support/hooks/servers.ts';
import { hooksOf, makeHome, processTexts, runInShell, setUp, type ShellRun } from '../../support/hooks/shell.ts';
import { typeCommand } from '../../support/slack/conversation.ts';

const TOKEN = `qmh_${'Zz9_'.repeat(8)}`;
const TEN_MEGABYTES = Buffer.alloc(10 * 1024 * 1024, 'x');

let close: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(close.map((one) => one()));
  close = [];
});
const kept = async (starting: Promise<BadServer>) => {
  const server = await starting;
  close.push(async () => server.close());
  return server.url;
};

/** Runs the command of each event, all at once, as long as `look` is called again and again. */
async function runAll(home: string, look: () => void = () => {}): Promise<Record<string, ShellRun>> {
  const timer = setInterval(look, 50);
  try {
    const runs = Object.entries(hooksOf()).map(async ([event, { command }]) => {
      const input = JSON.stringify({
        hook_event_name: event,
        session_id: 's1',
        cwd: '/home/mia/web',
        message: 'May I?',
      });
      return [event, await runInShell(command, { home, input })] as const;
    });
    return Object.fromEntries(await Promise.all(runs));
  } finally {
    clearInterval(timer);
  }
}

/** The harm to the agent: a status other than 0, any output, or more time than the client allows. */
function harmOf(runs: Record<string, ShellRun>): string[] {
  return Object.entries(hooksOf()).flatMap(([event, { timeoutMs }]) => {
    const { code, printed, durationMs } = runs[event] ?? { code: null, printed: '', durationMs: 0 };
    const isHarmless = code === 0 && printed === '' && durationMs < timeoutMs;
    return isHarmless ? [] : [`${event}: ${code} ${printed} after ${durationMs} ms`];
  });
}

describe('the snippet, run by a shell', () => {
  test('reaches the bot, and its token appears in no list of processes, log or row of the platform', async () => {
    const scene = await startHooksApp();
    close.push(() => scene.close());
    const answer = await typeCommand(scene.slack, 'mia', '/session', 'notify');
    const [json = ''] = copiedFrom(answer);
    const home = makeHome();
    const seen: string[] = [];
    const timer = setInterval(() => seen.push(...processTexts()), 5);
    const notify = hooksOf(json)['Notification']?.command ?? '';
    const event = { hook_event_name: 'Notification', session_id: 's1', cwd: '/home/mia/web', message: 'May I run it?' };
    const run = await runInShell(notify, { home, input: JSON.stringify(event) });
    clearInterval(timer);
    expect(run).toMatchObject({ code: 0, printed: '' });
    await directMessage(scene, 'mia', /May I run it\?/);
    const [file = ''] = readdirSync(join(home, '.quartermaster'));
    const token = /qmh_[\w-]{32}/.exec(readFileSync(join(home, '.quartermaster', file), 'utf8'))?.[0] ?? 'none';
    expect(answer.text).not.toContain(token);
    const period = 'startDate=2026-02-20&endDate=2026-03-01';
    const rows = await fetch(`${scene.platform.baseUrl}/api/v1/analytics/tools?${period}`, {
      headers: { authorization: `Bearer ${scene.platform.apiKeys.manager}` },
    });
    for (const text of [...seen, await rows.text(), JSON.stringify(scene.log), json]) expect(text).not.toContain(token);
    expect(seen.some((text) => text.includes('curl') || text.includes('.quartermaster'))).toBe(true);
  });

  test('leaves the agent unharmed against a server that sends nothing, and shows no token while it waits', async () => {
    const home = makeHome();
    setUp(home, await kept(startSocketServer()), TOKEN);
    const seen: string[] = [];
    expect(harmOf(await runAll(home, () => seen.push(...processTexts())))).toEqual([]);
    expect(seen.some((text) => text.includes('.quartermaster'))).toBe(true);
    expect(seen.filter((text) => text.includes(TOKEN))).toEqual([]);
  });

  const answers: [string, Parameters<typeof startServer>[0]][] = [
    ['answers 500', (_request, response) => void response.writeHead(500).end()],
    [
      'answers 10 MB',
      (_request, response) =>
        void response.writeHead(200, { 'content-length': TEN_MEGABYTES.length }).end(TEN_MEGABYTES),
    ],
    ['answers 10 MB without saying how much', (_request, response) => void response.writeHead(200).end(TEN_MEGABYTES)],
    ['redirects to itself', ({ url = '' }, response) => void response.writeHead(307, { location: url }).end()],
    [
      'answers a byte a second',
      (_request, response) => {
        response.writeHead(200, { 'content-length': 1_000 });
        const timer = setInterval(() => response.write('x'), 1_000);
        response.once('close', () => clearInterval(timer));
      },
    ],
  ];
  test.each(answers)('leaves the agent unharmed against a server that %s', async (_name, answer) => {
    const home = makeHome();
    setUp(home, await kept(startServer(answer)), TOKEN);
    expect(harmOf(await runAll(home))).toEqual([]);
  });

  test('leaves the agent unharmed against a service that is no HTTP server, and against an unreachable address', async () => {
    const home = makeHome();
    setUp(home, await kept(startSocketServer('SSH-2.0-OpenSSH_9.6\r\n')), TOKEN);
    expect(harmOf(await runAll(home))).toEqual([]);
    // An address of no host (RFC 5737): packets to it are lost, or refused at once.
    setUp(home, 'http://192.0.2.1', TOKEN);
    expect(harmOf(await runAll(home))).toEqual([]);
  });
});
