import type { Fault } from './faults.ts';
import { createRandom, shuffle } from '../model/random.ts';
import type { Reply } from '../routes/route.ts';

export interface Outgoing {
  status: number;
  headers: Record<string, string>;
  text: string;
  /** Breaks the connection before the answer, or within it. */
  broken?: 'before' | 'within';
}

const LISTS = ['data', 'reports', 'changes', 'messages', 'computers'] as const;

/** Returns the answer that replaces the platform's; `undefined` for faults that let the platform answer first. */
export function refuseBy(fault: Fault): Outgoing | undefined {
  const retryAfter: Record<string, string> =
    fault.retryAfter === undefined ? {} : { 'retry-after': String(fault.retryAfter) };
  const json = { 'content-type': 'application/json' };
  if (fault.kind === 'drop_before') return { status: 0, headers: {}, text: '', broken: 'before' };
  if (fault.kind === 'rate_limit') {
    return {
      status: 429,
      headers: { ...json, 'retry-after': '1', ...retryAfter },
      text: problem(429, 'Too Many Requests'),
    };
  }
  if (fault.kind !== 'status') return undefined;
  const status = fault.status ?? 500;
  return { status, headers: { ...json, ...retryAfter }, text: problem(status, 'Fault on demand') };
}

function problem(status: number, title: string): string {
  return JSON.stringify({ title, detail: 'The simulator is set to fail.', status, requestId: 'req_fault' });
}

/** Applies a fault to a page before it becomes text. */
export function spoilReply(fault: Fault, reply: Reply, cursor: string | null): Reply {
  const body = asObject(reply.body);
  if (!body || reply.status !== 200) return reply;
  if (fault.kind === 'shuffle_pages') return { status: 200, body: shufflePage(body) };
  if (fault.kind === 'no_breakdowns') return { status: 200, body: withoutBreakdowns(body) };
  if (fault.kind === 'repeat_cursor') return { status: 200, body: repeatCursor(body, cursor) };
  return reply;
}

const EMPTY_BREAKDOWNS = { by_tool: [], by_model: [], daily_active_users_by_client: {} };

function withoutBreakdowns(body: Record<string, unknown>): Record<string, unknown> {
  const { data } = body;
  if (!Array.isArray(data)) return body;
  const rows = data.map((row: unknown) => {
    const day = asObject(row) ?? {};
    const emptied = Object.entries(EMPTY_BREAKDOWNS).filter(([name]) => name in day);
    return { ...day, ...Object.fromEntries(emptied) };
  });
  return { ...body, data: rows };
}

function shufflePage(body: Record<string, unknown>): Record<string, unknown> {
  const shuffled = { ...body };
  for (const name of LISTS) {
    const list = body[name];
    if (Array.isArray(list)) shuffled[name] = shuffle<unknown>(list, createRandom(list.length, 71));
  }
  return shuffled;
}

/** Promises more at the request's own cursor; the first page, at its regular next cursor. */
function repeatCursor(body: Record<string, unknown>, cursor: string | null): Record<string, unknown> {
  const meta = asObject(body['meta']);
  if (meta && 'has_more' in meta) {
    return { ...body, meta: { ...meta, has_more: true, next_cursor: cursor ?? meta['next_cursor'] ?? '0' } };
  }
  const pagination = asObject(body['pagination']);
  if (!pagination) return body;
  return { ...body, pagination: { hasMore: true, nextCursor: cursor ?? pagination['nextCursor'] ?? 'YXQ6MA' } };
}

/** Applies a fault to the answer on the wire. */
export function spoilOutgoing(fault: Fault, outgoing: Outgoing): Outgoing {
  const json = { 'content-type': 'application/json' };
  if (fault.kind === 'drop_after') return { ...outgoing, broken: 'before' };
  if (fault.kind === 'cut_body') return { ...outgoing, broken: 'within' };
  if (fault.kind === 'empty') return { status: outgoing.status, headers: json, text: '' };
  if (fault.kind === 'wrong_shape') {
    const text = JSON.stringify({
      data: 'soon',
      reports: 7,
      changes: null,
      messages: {},
      computers: 'none',
      updated: true,
    });
    return { status: outgoing.status, headers: json, text };
  }
  if (fault.kind !== 'html') return outgoing;
  const text = '<!doctype html><html><body><h1>Down for maintenance</h1></body></html>';
  return { status: fault.status ?? 200, headers: { 'content-type': 'text/html' }, text };
}

function asObject(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
}
