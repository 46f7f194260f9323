/** `/control/…`: the control API over HTTP, for the browser page. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseJson } from '../../json.ts';
import type { Sandbox } from '../context.ts';
import { ControlError } from '../people/control-error.ts';
import type { SlackEvent } from '../people/control-types.ts';
import { readBody, sendJson } from '../api/http-reply.ts';
import { thePerson } from '../model/lookup.ts';
import { canSee, isFromApp } from '../shapes/present.ts';
import type { Person } from '../model/workspace.ts';

export type ControlCalls = Record<string, (input: unknown) => Promise<unknown>>;

export async function serveControl(
  { sandbox, control }: { sandbox: Sandbox; control: ControlCalls },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const name = url.pathname.replace('/control/', '');
  try {
    if (name === 'events' && request.method === 'GET') {
      streamEvents(sandbox, url.searchParams, request, response);
      return;
    }
    const action = Object.hasOwn(control, name) ? control[name] : undefined;
    if (!action) throw new ControlError('unknown_action', `There is no control action "${name}"`);
    sendJson(response, 200, { ok: true, result: await action(await readInput(request, url)) });
  } catch (error) {
    if (!(error instanceof ControlError)) throw error;
    sendJson(response, 400, { ok: false, error: error.code, message: error.message });
  }
}

async function readInput(request: IncomingMessage, url: URL): Promise<unknown> {
  if (request.method === 'GET') {
    const query = [...url.searchParams].map(([key, value]) => [key, /^\d+$/.test(value) ? Number(value) : value]);
    return Object.fromEntries(query);
  }
  // Only JSON: a form on another website must not be able to act here.
  if (!request.headers['content-type']?.startsWith('application/json')) {
    throw new ControlError('invalid_request', 'Send the input as application/json');
  }
  return parseJson((await readBody(request)).toString('utf8')) ?? {};
}

const KEEP_ALIVE_MS = 15_000;

function streamEvents(
  sandbox: Sandbox,
  query: URLSearchParams,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const viewer = thePerson(sandbox, query.get('as') ?? '');
  const since = query.get('since') ?? request.headers['last-event-id'];
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  response.write(': connected\n\n');
  const send = (event: SlackEvent) => {
    const visible = isVisible(sandbox, viewer, event) ? event : withoutContent(sandbox, event);
    if (visible) response.write(`id: ${event.seq}\ndata: ${JSON.stringify(visible)}\n\n`);
  };
  if (since !== undefined) for (const event of sandbox.log.since(Number(since))) send(event);
  const stop = sandbox.log.listen(send);
  const timer = setInterval(() => response.write(': still here\n\n'), KEEP_ALIVE_MS);
  timer.unref();
  response.on('close', () => {
    stop();
    clearInterval(timer);
  });
}

/** Whether a person would see this in their own Slack. Traffic and settings are for all viewers of the sandbox. */
function isVisible({ workspace }: Sandbox, viewer: Person, event: SlackEvent): boolean {
  if ('view' in event) return event.person === viewer.id;
  if (!('channel' in event)) return true;
  const channel = workspace.channels.get(event.channel);
  if (!channel || !canSee(viewer, channel)) return false;
  if (!('message' in event)) return true;
  const { visibleTo } = event.message;
  return visibleTo === null || visibleTo === viewer.id;
}

/** A visitor who plays all people sees who has a new direct message, but not what it says. */
function withoutContent({ workspace }: Sandbox, event: SlackEvent): SlackEvent | undefined {
  if (event.kind !== 'message' || !isFromApp(workspace, event.message)) return undefined;
  const { seq, at } = event;
  const person = [...workspace.people.keys()].find((id) => workspace.findDirectChannel(id)?.id === event.channel);
  return person === undefined ? undefined : { kind: 'direct_message', seq, at, person };
}
