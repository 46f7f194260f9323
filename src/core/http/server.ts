import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from '../base/log.ts';
import { HttpRefusal } from './refusal.ts';

/** An import of the module would read all that it exports, also a getter that loads Node's own copy of undici. */
const { createServer } = process.getBuiltinModule('node:http');

/** An error of `handle` becomes a 4xx or 5xx of that request only. */
export interface Route {
  path: string;
  methods: readonly ('GET' | 'HEAD' | 'POST')[];
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
}

/** The message is one sentence for the operator. */
class PortError extends Error {
  override readonly name = 'PortError';
}

export interface HttpServer {
  /** The port in use; if 0 was requested, the free one that was found. */
  port: number;
  close(): Promise<void>;
}

/** After these times Node ends the connection; no legitimate caller needs longer. */
const HEADERS_TIMEOUT_MS = 5_000;
const REQUEST_TIMEOUT_MS = 10_000;
const TIMEOUT_CHECK_MS = 1_000;
/** Load balancers keep idle connections for up to ten minutes. A shorter time lets them send into a closed one. */
const KEEP_ALIVE_SECONDS = 620;
const MAX_CONNECTIONS = 256;
/** Repeated bad requests must not fill the log: one line per status in this time. */
const REFUSAL_LOG_MS = 10_000;

/**
 * Unknown paths get 404, other methods 405. Headers and bodies of callers are never logged.
 *
 * @param setting the name of the setting that holds the port, for the operator
 * @param port 0 for any free one
 * @throws PortError if the port is taken or may not be used
 * @example await startHttpServer({ port: 3000, setting: 'PORT', routes: [textRoute('/healthz', 'alive\n')], log })
 */
export async function startHttpServer(deps: {
  port: number;
  setting: string;
  routes: readonly Route[];
  log: Logger;
  /** How long an idle connection stays open. */
  keepAliveSeconds?: number;
  /** Called for each connection that opens and each request that begins. */
  onArrival?: (() => void) | undefined;
}): Promise<HttpServer> {
  const { keepAliveSeconds = KEEP_ALIVE_SECONDS } = deps;
  const keepAliveTimeout = keepAliveSeconds * 1000;
  const server = createServer({ connectionsCheckingInterval: TIMEOUT_CHECK_MS, keepAliveTimeout });
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  const markServed = limitConnections(server);
  const logRefusal = createRefusalLog(deps.log);
  server.on('connection', () => deps.onArrival?.());
  server.on('request', (request, response) => {
    deps.onArrival?.();
    // A stream without a listener for its errors ends the process.
    request.on('error', () => response.destroy());
    response.on('error', () => request.destroy());
    response.on('finish', () => markServed(request, response));
    answer(deps.routes, request, response).catch((error: unknown) => {
      if (error instanceof HttpRefusal) logRefusal(error);
      else deps.log.error({ err: error }, 'Answering a request failed');
      refuse(
        response,
        error instanceof HttpRefusal ? error : new HttpRefusal(500, 'The request could not be answered.'),
      );
    });
  });
  const port = await listen(server, deps);
  server.on('error', (error) => deps.log.error({ err: error }, 'The HTTP server failed'));
  return { port, close: () => close(server) };
}

async function answer(routes: readonly Route[], request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = (request.url ?? '').split('?', 1)[0];
  const route = routes.find((one) => one.path === path);
  if (!route) throw new HttpRefusal(404, 'Nothing is served at this address.');
  if (!route.methods.some((method) => method === request.method)) {
    response.setHeader('allow', route.methods.join(', '));
    throw new HttpRefusal(405, 'This address does not answer this method.');
  }
  await route.handle(request, response);
}

/** Ends the connection with the answer, because the rest of a refused request is not worth reading. */
function refuse(response: ServerResponse, { status, message }: HttpRefusal): void {
  if (response.destroyed || response.writableEnded) return;
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' });
  response.end(`${message}\n`);
}

/**
 * Past the limit, drops the connection that was least recently useful: a client that only opens connections ends its
 * own.
 *
 * @returns a function to call when a request has been answered
 */
function limitConnections(server: Server): (request: IncomingMessage, response: ServerResponse) => void {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    const [leastRecentlyUseful] = sockets;
    if (sockets.size > MAX_CONNECTIONS) leastRecentlyUseful?.destroy();
  });
  return ({ socket }, { statusCode }) => {
    if (statusCode < 400 && sockets.delete(socket)) sockets.add(socket);
  };
}

function createRefusalLog(log: Logger): (refusal: HttpRefusal) => void {
  const lastLogged = new Map<number, { sinceMs: number; count: number }>();
  return ({ status, message }) => {
    const nowMs = performance.now();
    const before = lastLogged.get(status);
    if (before && nowMs - before.sinceMs < REFUSAL_LOG_MS) {
      before.count += 1;
      return;
    }
    lastLogged.set(status, { sinceMs: nowMs, count: 0 });
    log.warn({ status, reason: message, notLoggedBefore: before?.count ?? 0 }, 'Refused a request');
  };
}

async function listen(server: Server, { port, setting }: { port: number; setting: string }): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(new PortError(explain(error, port, setting), { cause: error })),
    );
    server.listen(port, () => resolve());
  });
  server.removeAllListeners('error');
  const address = server.address();
  return typeof address === 'object' && address ? address.port : port;
}

function explain(error: NodeJS.ErrnoException, port: number, setting: string): string {
  if (error.code === 'EADDRINUSE')
    return `Port ${port} is taken: stop the program that uses it, or set ${setting} to another.`;
  if (error.code === 'EACCES') return `Port ${port} may not be used: set ${setting} to one above 1023.`;
  return `Port ${port} (${setting}) cannot be listened on: ${error.message}`;
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), 1_000).unref();
  });
}
