import { z } from 'zod';
import type { Edition } from '../model/edition.ts';
import type { World } from '../model/world.ts';

/** The required permission of a route, and the form of its refusals. */
export type Access = 'analytics' | 'readiness' | 'administration' | 'managed_administration';

export interface RouteRequest {
  query: URLSearchParams;
  /** Decoded values of the `{names}` in the path. */
  path: Record<string, string>;
  /** Parsed JSON; `undefined` without a body. */
  body: unknown;
}

export interface Reply {
  status: number;
  body: unknown;
}

export interface Route {
  method: 'GET' | 'PUT' | 'POST';
  /** Path template, as in the coverage table. */
  path: string;
  access: Access;
  /** The only edition that has it; missing: both. */
  edition?: Edition;
  handle: (world: World, request: RouteRequest) => Reply | Promise<Reply>;
}

export class Refusal extends Error {
  readonly status: number;
  readonly title: string;

  constructor(status: number, title: string, detail: string) {
    super(detail);
    this.status = status;
    this.title = title;
  }
}

export function badRequest(detail: string): Refusal {
  return new Refusal(400, 'Bad Request', detail);
}

export function notFound(detail: string): Refusal {
  return new Refusal(404, 'Not Found', detail);
}

/** Parses a `limit`; refuses anything but a whole number in the range. */
export function readLimit(query: URLSearchParams, { most, fallback }: { most: number; fallback: number }): number {
  const text = query.get('limit');
  if (text === null) return fallback;
  const limit = /^\d+$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > most) throw badRequest(`limit must be a whole number from 1 to ${most}`);
  return limit;
}

export function readBody<T>(schema: z.ZodType<T>, body: unknown): T {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  throw badRequest(z.prettifyError(result.error));
}

/** Cuts a page out of a list. A cursor is opaque to clients; here it is the start of the next page. */
export function cutPage<T>(items: readonly T[], { limit, cursor }: { limit: number; cursor: string | null }) {
  const start = cursor === null ? 0 : readCursor(cursor);
  const page = items.slice(start, start + limit);
  const hasMore = start + limit < items.length;
  return { page, pagination: hasMore ? { hasMore, nextCursor: writeCursor(start + limit) } : { hasMore } };
}

function writeCursor(start: number): string {
  return Buffer.from(`at:${start}`).toString('base64url');
}

function readCursor(cursor: string): number {
  const match = /^at:(\d+)$/.exec(Buffer.from(cursor, 'base64url').toString());
  if (!match) throw badRequest('cursor is unknown');
  return Number(match[1]);
}
