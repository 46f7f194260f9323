import { request as startRequest } from 'node:http';
import { connect } from 'node:net';
import { once } from 'node:events';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { withHooks } from '../../../src/features/sessions/hooks/core/session-tables.ts';
import { hostileBodies } from './hostile-bodies.ts';
import { directMessage, directMessages, send, startHooksApp, tokenOf, waits } from '../../support/hooks/hooks.ts';
import { typeCommand } from '../../support/slack/conversation.ts';
import { readDatabase } from '../../support/stores/databases.ts';
import { moveClock } from '../../support/scene-clock.ts';

let scene: Awaited<ReturnType<typeof startHooksApp>>;
beforeEach(async () => {
  scene = await startHooksApp();
});
afterEach(async () => {
  const { fatalReasons } = scene;
  await scene.close();
  if (fatalReasons.length > 0) throw new Error(fatalReasons.join(' '));
});

const post = async (headers: Record<string, string>, body: string | Uint8Array = '{}') => {
  const answer = await fetch(scene.hooksUrl, { method: 'POST', headers, body });
  await answer.arrayBuffer();
  return answer.status;
};
const storedSessions = async () => {
  const db = readDatabase(scene.databaseUrl);
  try {
    return await withHooks(db).selectFrom('hookSessions').selectAll().execute();
  } finally {
    await db.destroy();
  }
};

describe('the port of the hooks', () => {
  test('refuses unknown senders before it reads the body', async () => {
    const own = await tokenOf(scene, 'mia');
    const strange = `qmh_${'A'.repeat(32)}`;
    for (const authorization of [
      '',
      'Bearer',
      `Basic ${own}`,
      `Bearer ${own}x`,
      `Bearer ${strange}`,
      `Bearer ${own} ${own}`,
    ])
      expect(await post({ authorization })).toBe(401);
    expect(await post({})).toBe(401);
    const unread = startRequest(scene.hooksUrl, { method: 'POST', headers: { 'content-length': '1000000000' } });
    unread.on('error', () => {});
    unread.write('x');
    const [answer] = await once(unread, 'response');
    expect(answer.statusCode).toBe(401);
    unread.destroy();
    await typeCommand(scene.slack, 'mia', '/session', 'notify off');
    expect(await send(scene, own, waits('s1'))).toBe(401);
    expect(await storedSessions()).toEqual([]);
  });

  test('answers no other paths, and Slack’s own port does not answer for it', async () => {
    const token = await tokenOf(scene, 'mia');
    expect((await fetch(scene.hooksUrl)).status).toBe(405);
    for (const path of ['/', '/healthz', '/metrics', '/hooks/v2', '/slack/events'])
      expect((await fetch(new URL(path, scene.hooksUrl))).status).toBe(404);
    const other = { hooksUrl: `http://127.0.0.1:${scene.app.port}/hooks/v1` };
    expect(await send(other, token, waits('s1'))).toBe(404);
  });

  test('accepts sixty events of a token in a minute, of any kind, besides those of other tokens', async () => {
    const [token, other] = [await tokenOf(scene, 'mia'), await tokenOf(scene, 'morgan')];
    const statuses = await Promise.all(Array.from({ length: 80 }, () => send(scene, token, waits('s1'))));
    expect(statuses.filter((status) => status === 204)).toHaveLength(60);
    expect(statuses.filter((status) => status === 429)).toHaveLength(20);
    expect(await send(scene, other, waits('s1'))).toBe(204);
    const refused = await fetch(scene.hooksUrl, { method: 'POST', headers: { authorization: `Bearer ${token}` } });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
    await moveClock(scene, new Date(scene.clock.now().getTime() + 60_000));
    expect(await send(scene, token, waits('s1'))).toBe(204);
    await directMessage(scene, 'mia', /Waits for you/);
    expect(await directMessages(scene, 'mia')).toHaveLength(1);
  });

  test('refuses bodies larger than 64 KB, and accepts one of exactly that size', async () => {
    const token = await tokenOf(scene, 'mia');
    const sized = (bytes: number) => {
      const empty = JSON.stringify({ ...waits('s1'), padding: '' });
      return JSON.stringify({ ...waits('s1'), padding: 'x'.repeat(bytes - empty.length) });
    };
    expect(await send(scene, token, sized(65_536))).toBe(204);
    expect(await send(scene, token, sized(65_537))).toBe(413);
    const chunked = startRequest(scene.hooksUrl, { method: 'POST', headers: { authorization: `Bearer ${token}` } });
    chunked.on('error', () => {});
    const answered = once(chunked, 'response');
    for (let chunk = 0; chunk < 10; chunk += 1) chunked.write('x'.repeat(10_000));
    expect((await answered)[0].statusCode).toBe(413);
    chunked.destroy();
  });

  test('survives hostile bodies, which change nothing that they should not', async () => {
    const token = await tokenOf(scene, 'mia');
    const count = (inject('propertyShare') ?? 1) < 1 ? 100 : 1_000;
    const bodies = fc.sample(hostileBodies, { numRuns: count, seed: 7 });
    const statuses = new Map<number, number>();
    for (const [index, body] of bodies.entries()) {
      if (index % 40 === 0) await moveClock(scene, new Date(scene.clock.now().getTime() + 60_000));
      const status = await post({ authorization: `Bearer ${token}` }, body);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    expect([...statuses.keys()].filter((status) => ![204, 400, 413].includes(status))).toEqual([]);
    expect(statuses.get(400)).toBeGreaterThan(count / 10);
    expect(statuses.get(204)).toBeGreaterThan(count / 10);
    for (const session of await storedSessions()) {
      expect(session.owner).toBe('U0MIA');
      expect(JSON.stringify(session).length).toBeLessThan(4_000);
    }
    await moveClock(scene, new Date(scene.clock.now().getTime() + 60_000));
    expect(await send(scene, token, waits('still-here'))).toBe(204);
    const list = await typeCommand(scene.slack, 'mia', '/session', 'mine');
    expect(list.text).toContain('still-here');
    expect(`${list.text} ${JSON.stringify(list.blocks)}`).not.toMatch(/<!(channel|here|everyone)|<@U|<https?:/);
  }, 180_000);

  test('survives clients that break off, drip and pile up connections', async () => {
    const token = await tokenOf(scene, 'mia');
    const { hostname, port } = new URL(scene.hooksUrl);
    const head = `POST /hooks/v1 HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-length: 60000\r\n\r\n{"hook`;
    const sockets = Array.from({ length: 300 }, () => {
      const socket = connect(Number(port), hostname, () => socket.write(head));
      socket.on('error', () => {});
      return socket;
    });
    await Promise.all(sockets.slice(0, 50).map((socket) => once(socket, 'connect')));
    for (const socket of sockets.slice(0, 100)) socket.destroy();
    expect(await send(scene, token, waits('s1'))).toBe(204);
    for (const socket of sockets) socket.destroy();
    expect(await send(scene, token, waits('s2'))).toBe(204);
  });
});
