/** `/response/<id>`: https://docs.slack.dev/interactivity/handling-user-interaction#message_responses */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isJson, parseJson } from '../../json.ts';
import type { Sandbox } from '../context.ts';
import { failEarly } from './fault-effects.ts';
import { readBody, sendJson } from './http-reply.ts';
import { applyReply } from './reply.ts';

export async function serveResponseUrl(
  sandbox: Sandbox,
  id: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const startedMs = performance.now();
  const body = parseJson((await readBody(request)).toString('utf8'));
  const record = (status: string, answer: unknown) =>
    sandbox.traffic.record({
      direction: 'in',
      via: 'response_url',
      method: 'response_url',
      summary: JSON.stringify(body)?.slice(0, 120) ?? '',
      status,
      durationMs: Math.round(performance.now() - startedMs),
      request: body,
      response: answer,
    });
  const fault = sandbox.faults.take('response_url', isJson(body) ? body : {});
  if (fault && (await failEarly(fault, response, record))) return;
  const { status, error, messages } = use(sandbox, id, body);
  if (fault?.kind === 'lost_answer') {
    record('lost', error ?? 'ok');
    response.destroy();
    return;
  }
  record(error ?? String(status), error ?? 'ok');
  if (error === null) response.writeHead(200, { 'content-type': 'text/html' }).end('ok');
  else sendJson(response, status, { ok: false, error, response_metadata: { messages } });
}

function use(
  sandbox: Sandbox,
  id: string,
  body: unknown,
): { status: number; error: string | null; messages: string[] } {
  const target = sandbox.tickets.useResponseUrl(id);
  if (typeof target === 'string') return { status: 404, error: target, messages: [] };
  const refusal = applyReply(sandbox, target, body);
  return refusal
    ? { status: 400, error: refusal.code, messages: refusal.messages }
    : { status: 200, error: null, messages: [] };
}
