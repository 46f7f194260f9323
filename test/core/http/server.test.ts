import { connect } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { metricsRoute, readinessRoute } from '../../../src/core/http/health.ts';
import { startHttpServer, type HttpServer, type Route } from '../../../src/core/http/server.ts';
import { createLogger } from '../../../src/core/base/log.ts';

const lines: Record<string, unknown>[] = [];
const log = createLogger('info', [], (line) => void lines.push(JSON.parse(line)));
let server: HttpServer | undefined;
afterEach(async () => {
  await server?.close();
  lines.length = 0;
});

let arrivals = 0;

async function serve(...routes: Route[]) {
  arrivals = 0;
  server = await startHttpServer({ port: 0, setting: 'PORT', routes, log, onArrival: () => (arrivals += 1) });
  return `http://127.0.0.1:${server.port}`;
}

describe('the server', () => {
  test('turns an exception of a request into the status of that request, and logs none of its headers', async () => {
    const address = await serve({
      path: '/broken',
      methods: ['GET'],
      handle: (request) => Promise.reject(Object.assign(new Error('It broke'), { request })),
    });
    for (let index = 0; index < 3; index += 1) {
      const answer = await fetch(`${address}/broken`, { headers: { cookie: 'of-a-visitor' } });
      expect([answer.status, await answer.text()]).toEqual([500, 'The request could not be answered.\n']);
    }
    expect(lines).toHaveLength(3);
    expect(JSON.stringify(lines)).toContain('It broke');
    expect(JSON.stringify(lines)).not.toContain('of-a-visitor');
  });

  test('answers a wrong method with the allowed ones', async () => {
    const address = await serve({ path: '/a', methods: ['POST'], handle: () => Promise.resolve() });
    const answer = await fetch(`${address}/a`);
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
  });

  test('reports a connection before its first request, and each request', async () => {
    await serve(metricsRoute({ contentType: 'text/plain', render: () => Promise.resolve('m 1\n') }));
    const socket = connect(server?.port ?? 0, '127.0.0.1').on('error', () => {});
    await expect.poll(() => arrivals).toBe(1);
    for (let requests = 1; requests <= 2; requests += 1) {
      socket.write('GET /metrics HTTP/1.1\r\nhost: here\r\n\r\n');
      await expect.poll(() => arrivals).toBe(1 + requests);
    }
    socket.destroy();
  });

  test.each([
    [undefined, 'timeout=620'],
    [3_600, 'timeout=3600'],
  ])('keeps idle connections for %s seconds (%s), and closes them at the stop', async (keepAliveSeconds, header) => {
    const route = metricsRoute({ contentType: 'text/plain', render: () => Promise.resolve('m 1\n') });
    const options = { port: 0, setting: 'PORT', routes: [route], log };
    server = await startHttpServer(keepAliveSeconds === undefined ? options : { ...options, keepAliveSeconds });
    const socket = connect(server.port, '127.0.0.1');
    const closed = new Promise<string>((resolve) => socket.once('close', () => resolve('closed')));
    const answer = new Promise<string>((resolve) => socket.once('data', (data) => resolve(data.toString())));
    socket.write('GET /metrics HTTP/1.1\r\nhost: here\r\n\r\n');
    expect((await answer).toLowerCase()).toContain(`keep-alive: ${header}`);
    const startMs = performance.now();
    await server.close();
    expect(await closed).toBe('closed');
    expect(performance.now() - startMs).toBeLessThan(900);
  });

  test('logs one line for many refusals of a kind', async () => {
    const address = await serve();
    for (let index = 0; index < 20; index += 1) expect((await fetch(`${address}/${index}`)).status).toBe(404);
    expect(lines).toHaveLength(1);
  });

  test('answers a new connection while others stay open and silent', async () => {
    const address = await serve(metricsRoute({ contentType: 'text/plain', render: () => Promise.resolve('m 1\n') }));
    const idle = Array.from({ length: 400 }, () => connect(server?.port ?? 0, '127.0.0.1').on('error', () => {}));
    await Promise.all(idle.map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
    expect(await (await fetch(`${address}/metrics`)).text()).toBe('m 1\n');
    for (const socket of idle) socket.destroy();
  });
});

describe('an operator’s request', () => {
  test('costs nothing more if it is repeated often', async () => {
    let reads = 0;
    const render = () => Promise.resolve(`reads ${(reads += 1)}\n`);
    const address = await serve(metricsRoute({ contentType: 'text/plain', render }));
    const answers = await Promise.all(
      Array.from({ length: 50 }, async () => (await fetch(`${address}/metrics`)).text()),
    );
    expect(new Set(answers)).toEqual(new Set(['reads 1\n']));
  });

  test('is answered with the state of the connection when the platform has answered, not before', async () => {
    const { promise: answered, resolve: answer } = Promise.withResolvers<undefined>();
    let fault: string | undefined = 'no connection yet';
    const slack = { name: 'slack', isLocal: true, run: () => Promise.resolve(fault) };
    const platform = {
      name: 'platform',
      run: () => {
        fault = undefined;
        answer(undefined);
        return answered;
      },
    };
    const address = await serve(readinessRoute([slack, platform], log));
    const ready = await fetch(`${address}/readyz`);
    expect([ready.status, await ready.text()]).toEqual([200, '{"slack":"in order","platform":"in order"}\n']);
  });

  test('is answered in fixed words; the log names the exact fault, once', async () => {
    const run = () => Promise.reject(new Error('no password for postgres://me@inside'));
    const address = await serve(readinessRoute([{ name: 'store', run }], log));
    const answer = await fetch(`${address}/readyz`);
    expect([answer.status, await answer.text()]).toEqual([503, '{"store":"not in order"}\n']);
    await fetch(`${address}/readyz`);
    expect(lines.filter(({ check }) => check === 'store')).toEqual([
      expect.objectContaining({ fault: expect.stringContaining('no password') }),
    ]);
  });
});
