import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBodyReader } from '../../../core/http/body.ts';
import { HttpRefusal } from '../../../core/http/refusal.ts';
import type { Route } from '../../../core/http/server.ts';
import { NO_ACCESS, TOOLS_PATH } from '../../../core/http/tools-address.ts';
import { readSignedBody } from '../../../core/slack/receivers/signed-body.ts';
import type { ToolDeps } from '../ask-deps.ts';
import { ownerOfToken, revokeToken, TOKEN } from '../tokens/token-store.ts';
import { saysBlockKit } from './block-kit.ts';
import type { Door, McpHandler } from './mcp-server.ts';

const MAX_BODY_BYTES = 1_048_576;
/** For all bodies that are still arriving. */
const MAX_PENDING_BYTES = 16_777_216;
const MAX_HEADER_LENGTH = 500;

/** The `Host` and `Origin` of a program on the same machine. */
const LOCAL = /^(localhost|127\.0\.0\.1|\[::1\])$/;

/**
 * `POST /mcp`, through one of two doors: a request that Slack signed, or one with a personal token. The door is checked
 * before anything else reads the body.
 *
 * @param load the server is loaded with the first request
 */
export function mcpRoute(deps: ToolDeps, load: () => Promise<McpHandler>): Route {
  const bodies = createBodyReader({ maxBytes: MAX_BODY_BYTES, maxPendingBytes: MAX_PENDING_BYTES });
  const read = (request: IncomingMessage) => bodies.read(request);
  let hasSlackbotSaidBlockKit = false;
  return {
    path: TOOLS_PATH,
    methods: ['POST'],
    handle: async (request, response) => {
      const { tools } = deps.config;
      if (!tools) throw new HttpRefusal(404, 'Nothing is served at this address.');
      refuseForeignSites(request.headers, new URL(tools.url));
      const { caller, text } = hasSignature(request.headers)
        ? await slackDoor(deps, request, read)
        : await tokenDoor(deps, request, response, read);
      const saidBlockKit = saysBlockKit(text);
      if (caller.kind === 'slack') hasSlackbotSaidBlockKit = saidBlockKit ?? hasSlackbotSaidBlockKit;
      const door: Door = {
        ...caller,
        saidBlockKit: caller.kind === 'slack' ? hasSlackbotSaidBlockKit : saidBlockKit === true,
      };
      const server = await load();
      const leaving = new AbortController();
      // The response closes before it ends only if its client has left.
      response.on('close', () => leaving.abort());
      const answer = await server.fetch(webRequest(request.headers, text, leaving.signal), door);
      await send(answer, response, leaving.signal);
    },
  };
}

/**
 * A page that a person opens could otherwise reach the port through the browser, under a name of its own.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports
 */
function refuseForeignSites({ host = '', origin }: IncomingHttpHeaders, own: URL): void {
  const isOwn = (url: URL | undefined) => url !== undefined && (url.host === own.host || LOCAL.test(url.hostname));
  if (!isOwn(urlOf(`http://${host}`)) && !isOwn(urlOf(`https://${host}`)))
    throw new HttpRefusal(403, 'The Host of the request is not that of MCP_URL.');
  if (origin !== undefined && !isOwn(urlOf(origin))) throw new HttpRefusal(403, 'Pages of other sites may not ask.');
}

function urlOf(text: string): URL | undefined {
  return text.length <= MAX_HEADER_LENGTH && URL.canParse(text) ? new URL(text) : undefined;
}

const hasSignature = (headers: IncomingHttpHeaders) =>
  headers['x-slack-signature'] !== undefined || headers['x-slack-request-timestamp'] !== undefined;

interface CheckedRequest {
  caller: { kind: 'slack' } | { kind: 'token'; slackId: string };
  text: string;
}
type ReadBody = (request: IncomingMessage) => Promise<Buffer>;

async function slackDoor(deps: ToolDeps, request: IncomingMessage, read: ReadBody): Promise<CheckedRequest> {
  const { signature } = deps;
  if (!deps.config.tools?.doors.includes('slack') || !signature)
    throw new HttpRefusal(401, 'This server takes no calls from Slack.');
  if (request.headers.authorization !== undefined) throw new HttpRefusal(401, 'A request of Slack carries no token.');
  const signed = await readSignedBody(signature, request, () => read(request));
  if (signed.format !== 'json') throw new HttpRefusal(415, 'The body is no JSON.');
  return { caller: { kind: 'slack' }, text: signed.text };
}

async function tokenDoor(
  deps: ToolDeps,
  request: IncomingMessage,
  response: ServerResponse,
  read: ReadBody,
): Promise<CheckedRequest> {
  const slackId = deps.config.tools?.doors.includes('tokens') ? await callerByToken(deps, request.headers) : undefined;
  if (slackId === undefined) {
    // Without metadata of OAuth: clients that find some ignore the token of their settings.
    response.setHeader('www-authenticate', 'Bearer');
    throw new HttpRefusal(401, `${NO_ACCESS} Type /quartermaster token in Slack.`);
  }
  return { caller: { kind: 'token', slackId }, text: (await read(request)).toString('utf8') };
}

/** The token ends with the rights of its owner, but not with an answer of Slack that says nothing about them. */
async function callerByToken(deps: ToolDeps, { authorization = '' }: IncomingHttpHeaders): Promise<string | undefined> {
  if (authorization.length > MAX_HEADER_LENGTH) return undefined;
  const token = /^Bearer (\S+)$/i.exec(authorization)?.[1] ?? '';
  if (!TOKEN.test(token)) return undefined;
  const now = deps.clock.now();
  const owner = await ownerOfToken(deps.db, token, now);
  if (owner === undefined) return undefined;
  const identification = await deps.people.identify(owner);
  if (identification.kind === 'known') return owner;
  if (identification.reason !== 'unknown') await revokeToken(deps.db, owner, 'quartermaster', now);
  return undefined;
}

/** @param headers only those of the protocol pass: the door was checked before */
function webRequest(headers: IncomingHttpHeaders, body: string, signal: AbortSignal): Request {
  const passed = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' && (name === 'accept' || name === 'content-type' || name.startsWith('mcp-'))
      ? [[name, value]]
      : [],
  );
  return new Request(`http://localhost${TOOLS_PATH}`, { method: 'POST', headers: passed, body, signal });
}

/** Nobody reads the answer after the client has left, so that is no error. */
async function send(answer: Response, response: ServerResponse, left: AbortSignal): Promise<void> {
  if (left.aborted) {
    await answer.body?.cancel();
    return;
  }
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (!answer.body) {
    response.end();
    return;
  }
  await pipeline(Readable.fromWeb(answer.body), response).catch((error: unknown) => {
    // A body that breaks off closes the response as well, with an error of its own.
    if (!(left.aborted && isPrematureClose(error))) throw error;
  });
}

const isPrematureClose = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
