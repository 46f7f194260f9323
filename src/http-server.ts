import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Logger } from './log.ts';

export type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** The port cannot be listened on; the message is one sentence for the operator. */
class PortError extends Error {
  override readonly name = 'PortError';
}

export interface Check {
  /** What is checked: `slack`, `platform`, `store`. */
  name: string;
  /** @returns what is wrong, or nothing */
  run: () => Promise<string | undefined>;
}

export interface HttpServer {
  /** The port that it listens on; the free one that was found when 0 was asked for. */
  port: number;
  close(): Promise<void>;
}

const CHECK_TIMEOUT_MS = 5_000;

/**
 * Serves `/healthz` (alive), `/readyz` (everything in order), `/metrics`, and whatever Slack posts in HTTP mode.
 *
 * @param port 0 for any free one
 * @throws PortError when the port is taken or may not be used
 */
export async function startHttpServer(parts: {
  port: number;
  checks: readonly Check[];
  metrics: { render(): Promise<string>; contentType: string };
  slack?: { path: string; listener: Listener };
  log: Logger;
}): Promise<HttpServer> {
  const server = createServer((request, response) => {
    const path = (request.url ?? '/').split('?')[0];
    if (parts.slack && path === parts.slack.path) return parts.slack.listener(request, response);
    respond(parts, path, request.method ?? 'GET')
      .then(({ status, type, body }) => response.writeHead(status, { 'content-type': type }).end(body))
      .catch((error: unknown) => {
        parts.log.error({ err: error, path }, 'A request to the health server failed');
        response.writeHead(500).end();
      });
  });
  const port = await listen(server, parts.port);
  server.on('error', (error) => parts.log.error({ err: error }, 'The HTTP server reported a fault'));
  return { port, close: () => close(server) };
}

interface Answer {
  status: number;
  type: string;
  body: string;
}

const text = (status: number, body: string): Answer => ({ status, type: 'text/plain; charset=utf-8', body });

async function respond(
  parts: Parameters<typeof startHttpServer>[0],
  path: string | undefined,
  method: string,
): Promise<Answer> {
  if (method !== 'GET' && method !== 'HEAD') return text(405, 'Only GET is answered here.\n');
  if (path === '/healthz') return text(200, 'alive\n');
  if (path === '/metrics') return { status: 200, type: parts.metrics.contentType, body: await parts.metrics.render() };
  if (path === '/readyz') return readiness(parts.checks);
  return text(404, 'Quartermaster answers /healthz, /readyz and /metrics here.\n');
}

async function readiness(checks: readonly Check[]): Promise<Answer> {
  const results = await Promise.all(checks.map(async (check) => [check.name, await runCheck(check)] as const));
  const isReady = results.every(([, fault]) => fault === undefined);
  const body = Object.fromEntries(results.map(([name, fault]) => [name, fault ?? 'in order']));
  return { status: isReady ? 200 : 503, type: 'application/json', body: `${JSON.stringify(body)}\n` };
}

async function runCheck(check: Check): Promise<string | undefined> {
  const tooLate = new Promise<string>((resolve) => {
    setTimeout(() => resolve('does not answer in time'), CHECK_TIMEOUT_MS).unref();
  });
  return Promise.race([
    check.run().catch((error: unknown) => (error instanceof Error ? error.message : 'failed')),
    tooLate,
  ]);
}

async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(new PortError(explain(error, port), { cause: error })),
    );
    server.listen(port, () => resolve());
  });
  server.removeAllListeners('error');
  const address = server.address();
  return typeof address === 'object' && address ? address.port : port;
}

function explain(error: NodeJS.ErrnoException, port: number): string {
  if (error.code === 'EADDRINUSE')
    return `Port ${port} is taken: stop the program that uses it, or set PORT to another.`;
  if (error.code === 'EACCES') return `Port ${port} may not be used: set PORT to one above 1023.`;
  return `Port ${port} cannot be listened on: ${error.message}`;
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), 1_000).unref();
  });
}
