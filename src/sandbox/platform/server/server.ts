import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import { setTimeout as realDelay } from 'node:timers/promises';
import { answerControl } from '../routes/simulator-controls.ts';
import type { Edition } from '../model/edition.ts';
import type { Fault } from './faults.ts';
import { checkAccess, roleOf } from '../routes/keys.ts';
import type { LoggedRequest } from './request-log.ts';
import { Refusal, type Reply, type Route, badRequest, notFound } from '../routes/route.ts';
import { findRoute } from '../routes/router.ts';
import { type Outgoing, refuseBy, spoilOutgoing, spoilReply } from './spoil.ts';
import type { ServerParts } from './server-parts.ts';

const MAX_BODY_BYTES = 1024 * 1024;
const DEFAULT_SLOW_MS = 100;

/** Creates the simulated platform as an HTTP server that does not listen yet. */
export function createPlatformServer(parts: ServerParts): Server {
  return createServer((request, response) => {
    const entry = parts.log.begin(request.method ?? 'GET', request.url ?? '/');
    response.once('close', () => parts.log.end(entry));
    answer(parts, request, entry)
      .then((outgoing) => write(outgoing, response, entry))
      .catch(() => request.socket.destroy());
  });
}

async function answer(parts: ServerParts, request: IncomingMessage, entry: LoggedRequest): Promise<Outgoing> {
  const url = new URL(request.url ?? '/', 'http://platform.invalid');
  entry.body = await readJson(request).catch(() => UNREADABLE);
  if (url.pathname.startsWith('/_sandbox/')) {
    return toOutgoing(answerControl(parts, entry.method, url.pathname, entry.body), entry);
  }
  const fault = parts.faults.take(entry.method, url.pathname);
  entry.fault = fault?.kind;
  const refused = fault && refuseBy(fault);
  if (refused) return refused;
  // Real time: a slow network does not depend on the simulated clock.
  if (fault?.kind === 'slow')
    await (fault.until ?? realDelay(fault.delayMs ?? DEFAULT_SLOW_MS, undefined, { ref: false }));

  const reply = await answerApi(parts, request, url, entry, fault);
  const outgoing = toOutgoing(reply, entry);
  return fault ? spoilOutgoing(fault, outgoing) : outgoing;
}

const UNREADABLE = Symbol('unreadable body');

async function answerApi(
  { world, keys }: ServerParts,
  request: IncomingMessage,
  url: URL,
  entry: LoggedRequest,
  fault: Fault | undefined,
): Promise<Reply> {
  const match = findRoute(world.edition, entry.method, url.pathname);
  try {
    if (!match) throw notFound('No such operation');
    entry.role = roleOf(keys, request.headers.authorization);
    checkAccess(entry.role, match.route.access);
    if (entry.body === UNREADABLE) throw badRequest('The body is not JSON, or too long');
    const query = new URLSearchParams(url.search);
    // The readiness list has no cursor in its answers: to repeat one, its starting point is ignored.
    if (fault?.kind === 'repeat_cursor') query.delete('startAfter');
    const reply = await match.route.handle(world, { query, path: match.path, body: entry.body });
    return fault ? spoilReply(fault, reply, url.searchParams.get('cursor')) : reply;
  } catch (error) {
    return refuse(error, match?.route, entry, world.edition);
  }
}

/**
 * API document: "Analytics error body". Today, errors of `/api/v0` are documented, without a request id. Those of readiness reports are not documented, and have
 * a different form here, so that clients cannot rely on one; nor are those of `/api/v0` in the contract, which have that of analytics.
 */
function refuse(error: unknown, route: Route | undefined, { requestId, path }: LoggedRequest, edition: Edition): Reply {
  const { status, title, message } =
    error instanceof Refusal ? error : new Refusal(500, 'Internal Error', String(error));
  if (route?.access === 'readiness') return { status, body: { error: message } };
  if (edition === 'today' && path.startsWith('/api/v0/')) return { status, body: { title, detail: message, status } };
  return { status, body: { title, detail: message, status, requestId } };
}

function toOutgoing({ status, body }: Reply, { requestId }: LoggedRequest): Outgoing {
  // The header is the simulator's own choice; the document shows a request id only in the error body of analytics.
  const headers = { 'content-type': 'application/json', 'x-request-id': requestId };
  return { status, headers, text: body === undefined ? '' : JSON.stringify(body) };
}

function write({ status, headers, text, broken }: Outgoing, response: ServerResponse, entry: LoggedRequest): void {
  entry.status = broken === 'before' ? 0 : status;
  if (broken === 'before') {
    response.destroy();
    return;
  }
  const bytes = Buffer.from(text);
  response.writeHead(status, { ...headers, 'content-length': bytes.length });
  if (broken === 'within') response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
  else response.end(bytes);
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw badRequest('The body is too long');
    chunks.push(chunk);
  }
  return size === 0 ? undefined : JSON.parse(Buffer.concat(chunks).toString());
}
