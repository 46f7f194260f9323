import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { fetch, WebSocket } from 'undici';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { readConnectionFault } from '../../../src/core/http/connection-fault.ts';
import { createNetwork } from '../../../src/core/http/network.ts';
import { createAuthority, trust, type Authority } from '../../support/network/certificates.ts';
import { startForwardProxy, type ForwardProxy, type ForwardProxyOptions } from '../../support/network/forward-proxy.ts';
import { startTlsFront } from '../../support/network/tls-front.ts';

const SECURE = 'https://api.acme.example';
const PLAIN = 'http://plain.acme.example';

let authority: Authority;
let server: Server;
let routes: Record<string, number>;
const fronts: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  authority = createAuthority();
  server = createServer((request, response) =>
    response.end(`${request.method} ${request.url} of ${request.headers.host}`),
  );
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket) => socket.on('message', () => socket.send('an answer')));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const front = await startTlsFront(authority.issue(['api.acme.example']), port);
  const other = await startTlsFront(authority.issue(['other.acme.example']), port);
  const old = await startTlsFront(authority.issue(['old.acme.example'], 'expired'), port);
  routes = {
    'api.acme.example': front.port,
    'named.acme.example': other.port,
    'old.acme.example': old.port,
    'plain.acme.example': port,
    'no-tls.acme.example': port,
  };
  fronts.push(front, other, old);
});
afterAll(async () => {
  for (const front of fronts) await front.close();
  server.closeAllConnections();
  server.close();
  authority.remove();
});

async function startProxy(options: Partial<ForwardProxyOptions> = {}): Promise<ForwardProxy> {
  const proxy = await startForwardProxy({ routes, ...options });
  onTestFinished(() => proxy.close());
  return proxy;
}

const through = (address: string) => createNetwork({ httpsProxy: address, httpProxy: address, noProxy: undefined });
const addressOf = ({ port }: ForwardProxy, login = '') => `http://${login}127.0.0.1:${port}`;

async function read(address: string, origin: string, path = '/a'): Promise<string> {
  const agent = through(address).createAgent();
  onTestFinished(() => agent.destroy());
  const answer = await agent.request({ origin, path, method: 'GET' });
  return answer.body.text();
}

async function adviceOf(address: string, origin: string): Promise<string | undefined> {
  const error: unknown = await read(address, origin).catch((one: unknown) => one);
  expect(readConnectionFault(error).isNotSent).toBe(true);
  return readConnectionFault(error).advice;
}

describe('through a proxy', () => {
  test('requests with https leave in a tunnel, and others are forwarded', async () => {
    trust(authority);
    const proxy = await startProxy();
    expect(await read(addressOf(proxy), SECURE)).toBe('GET /a of api.acme.example');
    expect(await read(addressOf(proxy), PLAIN)).toBe('GET /a of plain.acme.example');
    expect(proxy.requests).toEqual(['CONNECT api.acme.example:443', 'GET http://plain.acme.example/a']);
  });

  test('that asks for a login, it is sent', async () => {
    trust(authority);
    const proxy = await startProxy({ login: 'me:pa ss@w%ord' });
    const login = 'me:pa%20ss%40w%25ord@';
    expect(await read(addressOf(proxy, login), SECURE)).toContain('api.acme.example');
    expect(await read(addressOf(proxy, login), PLAIN)).toContain('plain.acme.example');
  });

  test('that speaks TLS itself, requests leave too', async () => {
    trust(authority);
    const proxy = await startProxy({ secure: authority.issue(['localhost']) });
    const address = `https://localhost:${proxy.port}`;
    expect(await read(address, SECURE)).toContain('api.acme.example');
    expect(await read(address, PLAIN)).toContain('plain.acme.example');
  });

  test('a socket leaves in a tunnel, and its connection is handed over', async () => {
    trust(authority);
    const proxy = await startProxy();
    const connections: Socket[] = [];
    const agent = through(addressOf(proxy)).createAgent({
      allowH2: false,
      onConnection: (result) => result instanceof Error || connections.push(result),
    });
    onTestFinished(() => agent.destroy());
    const socket = new WebSocket('wss://api.acme.example/link', { dispatcher: agent });
    const answer = new Promise((resolve, reject) => {
      socket.addEventListener('open', () => socket.send('me'));
      socket.addEventListener('message', ({ data }) => resolve(data));
      socket.addEventListener('error', reject);
    });
    expect(await answer).toBe('an answer');
    expect(connections.map(({ destroyed }) => destroyed)).toEqual([false]);
    const closed = new Promise((resolve) => socket.addEventListener('close', resolve));
    connections[0]?.destroy();
    await closed;
  });

  test('no more connections are opened than the agent may have', async () => {
    trust(authority);
    const proxy = await startProxy();
    const agent = through(addressOf(proxy)).createAgent({ connections: 2, pipelining: 1 });
    onTestFinished(() => agent.destroy());
    const asked = Array.from({ length: 20 }, (_, index) => `/${index}`);
    const answers = await Promise.all(
      asked.map(async (path) => (await fetch(`${SECURE}${path}`, { dispatcher: agent })).text()),
    );
    expect(answers).toEqual(asked.map((path) => `GET ${path} of api.acme.example`));
    expect(proxy.requests).toEqual(['CONNECT api.acme.example:443', 'CONNECT api.acme.example:443']);
  });

  test('a new tunnel is opened after the proxy cut the old one', async () => {
    trust(authority);
    const proxy = await startProxy();
    const agent = through(addressOf(proxy)).createAgent();
    onTestFinished(() => agent.destroy());
    const ask = async () => (await agent.request({ origin: SECURE, path: '/a', method: 'GET' })).body.text();
    await ask();
    proxy.cutTunnels();
    await expect.poll(() => ask().catch(() => '')).toContain('api.acme.example');
  });
});

describe('what went wrong is named:', () => {
  test.each([
    [407, 'does not accept the login (status 407): correct the name and password in HTTPS_PROXY and HTTP_PROXY'],
    [403, 'does not let this through (status 403): allow the host there, or name it in NO_PROXY'],
    [503, 'cannot reach this (status 503): check the address, or name the host in NO_PROXY'],
  ])('a proxy that answers %d', async (refusal, advice) => {
    const proxy = await startProxy({ refusal });
    expect(await adviceOf(addressOf(proxy, 'me:secret@'), SECURE)).toBe(`The proxy 127.0.0.1:${proxy.port} ${advice}`);
  });

  test.each([SECURE, PLAIN])('a wrong login on the way to %s', async (origin) => {
    const proxy = await startProxy({ login: 'me:secret' });
    expect(await adviceOf(addressOf(proxy, 'me:wrong@'), origin)).toBe(
      `The proxy 127.0.0.1:${proxy.port} does not accept the login (status 407): correct the name and password in HTTPS_PROXY and HTTP_PROXY`,
    );
  });

  test.each([SECURE, PLAIN])('a proxy that is away, on the way to %s', async (origin) => {
    const proxy = await startForwardProxy({ routes });
    await proxy.close();
    expect(await adviceOf(addressOf(proxy, 'me:secret@'), origin)).toBe(
      `The proxy 127.0.0.1:${proxy.port} does not answer: correct HTTPS_PROXY and HTTP_PROXY, or start the proxy`,
    );
  });

  test.each([SECURE, PLAIN])('a proxy with a certificate of an unknown authority, on the way to %s', async (origin) => {
    const proxy = await startProxy({ secure: authority.issue(['localhost']) });
    expect(await adviceOf(`https://localhost:${proxy.port}`, origin)).toBe(
      `The certificate of the proxy localhost:${proxy.port} is from an authority that this machine does not know: name the file with that authority in NODE_EXTRA_CA_CERTS`,
    );
  });

  test.each([
    [
      'an unknown authority',
      SECURE,
      false,
      'is from an authority that this machine does not know: name the file with that authority in NODE_EXTRA_CA_CERTS',
    ],
    ['another name', 'https://named.acme.example', true, 'is for another name: correct the address or the certificate'],
    [
      'other dates',
      'https://old.acme.example',
      true,
      'is not valid today: renew it, or correct the clock of this machine',
    ],
  ])('a certificate of %s', async (_case, origin, isTrusted, advice) => {
    if (isTrusted) trust(authority);
    const proxy = await startProxy();
    expect(await adviceOf(addressOf(proxy), origin)).toBe(`Its certificate ${advice}`);
  });

  test('an address without TLS', async () => {
    const proxy = await startProxy();
    expect(await adviceOf(addressOf(proxy), 'https://no-tls.acme.example')).toBe(
      'It does not answer in TLS: correct the address or its port',
    );
  });
});
