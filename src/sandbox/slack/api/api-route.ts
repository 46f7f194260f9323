/** `/api/<method>`: tokens, scopes, faults, and Slack's refusals. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isJson, parseJson, textOf, type Json } from '../../json.ts';
import { ApiError, requireScope, type Method } from './call.ts';
import type { Sandbox } from '../context.ts';
import { failEarly } from './fault-effects.ts';
import { readBody, sendJson } from './http-reply.ts';
import type { RateLimiter } from './rate-limiter.ts';

export interface ApiParts {
  sandbox: Sandbox;
  methods: Record<string, Method>;
  limiter: RateLimiter;
  botToken: string;
  appToken: string;
}

interface Answer {
  status: number;
  body: Json;
  headers?: Record<string, string>;
}

export async function serveApi(parts: ApiParts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const startedMs = performance.now();
  const url = new URL(request.url ?? '/', 'http://localhost');
  const name = url.pathname.replace('/api/', '');
  const { token: tokenArgument, ...args } = await readArguments(request, url);
  const token = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? textOf(tokenArgument);
  const fault = parts.sandbox.faults.take(name, args);
  const record = (status: string, body: unknown) =>
    parts.sandbox.traffic.record({
      direction: 'in',
      via: 'api',
      method: name,
      summary: summarize(args),
      status,
      durationMs: Math.round(performance.now() - startedMs),
      request: args,
      response: body,
    });
  if (fault && (await failEarly(fault, response, record))) return;
  const answer = await call(parts, name, token, args);
  if (fault?.kind === 'shown_late') showLate(parts.sandbox, answer.body, fault.delayMs ?? 1_000);
  if (fault?.kind === 'lost_answer' || fault?.kind === 'shown_late') {
    record('lost', answer.body);
    response.destroy();
    return;
  }
  record(answer.body['ok'] === false ? `ok:false ${String(answer.body['error'])}` : String(answer.status), answer.body);
  sendJson(response, answer.status, answer.body, answer.headers);
}

/** Hides the message that a call has posted from the history for some real time. */
function showLate({ workspace }: Sandbox, answer: Json, delayMs: number): void {
  const channel = workspace.channels.get(String(answer['channel']));
  const message = channel?.messages.find(({ ts }) => ts === answer['ts']);
  if (message) message.shownFromMs = performance.now() + delayMs;
}

async function call(parts: ApiParts, name: string, token: string, args: Json): Promise<Answer> {
  const method = parts.methods[name];
  if (!method) return { status: 200, body: { ok: false, error: 'unknown_method', req_method: name } };
  const scopes = [...parts.sandbox.workspace.scopes].join(',');
  const headers = { 'x-oauth-scopes': scopes, 'x-accepted-oauth-scopes': method.scopes.join(',') };
  const waitSeconds = parts.limiter.take(name, textOf(args['channel']));
  if (waitSeconds > 0) {
    return { status: 429, body: { ok: false, error: 'ratelimited' }, headers: { 'retry-after': String(waitSeconds) } };
  }
  try {
    checkToken(parts, method, token);
    if (method.token === 'bot') requireScope(parts.sandbox.workspace.scopes, method.scopes);
    return { status: 200, body: { ok: true, ...(await method.run(parts.sandbox, args)) }, headers };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { status: 200, body: refusalBody(error), headers };
  }
}

function refusalBody({ code, messages, members }: ApiError): Json {
  return {
    ok: false,
    error: code,
    ...members,
    ...(messages.length > 0 ? { errors: messages.map(withoutLevel), response_metadata: { messages } } : {}),
  };
}

const withoutLevel = (message: string) => message.replace(/^\[ERROR\] /, '');

function checkToken({ botToken, appToken }: ApiParts, method: Method, token: string): void {
  if (method.token === 'none') return;
  if (token === '') throw new ApiError('not_authed');
  const expected = method.token === 'bot' ? botToken : appToken;
  if (token === expected) return;
  throw new ApiError(token === botToken || token === appToken ? 'not_allowed_token_type' : 'invalid_auth');
}

async function readArguments(request: IncomingMessage, url: URL): Promise<Json> {
  const body = (await readBody(request)).toString('utf8');
  const query = Object.fromEntries(url.searchParams);
  if (request.headers['content-type']?.startsWith('application/json')) {
    const parsed = parseJson(body);
    return { ...query, ...(isJson(parsed) ? parsed : {}) };
  }
  return { ...query, ...Object.fromEntries(new URLSearchParams(body)) };
}

function summarize(args: Json): string {
  const parts = ['channel', 'user', 'user_id', 'view_id', 'text'].flatMap((key) =>
    typeof args[key] === 'string' && args[key] !== '' ? [args[key].slice(0, 80)] : [],
  );
  return parts.join(' · ');
}
