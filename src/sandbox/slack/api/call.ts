import { z } from 'zod';
import type { Sandbox } from '../context.ts';
import type { Json } from '../../json.ts';
import type { Channel, Person } from '../model/workspace.ts';

/** A refusal: `ok: false` with this code. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: string;
  /** `response_metadata.messages`, in which Slack describes the faults and their places. */
  readonly messages: readonly string[];
  readonly members: Json;

  constructor(code: string, { messages = [], members = {} }: { messages?: readonly string[]; members?: Json } = {}) {
    super(code);
    this.code = code;
    this.messages = messages;
    this.members = members;
  }
}

export interface Method {
  token: 'bot' | 'app' | 'none';
  /** One of them is enough; empty: none is needed. */
  scopes: readonly string[];
  run(sandbox: Sandbox, args: Json): Json | Promise<Json>;
}

interface Definition<Schema extends z.ZodType> {
  token?: Method['token'];
  scopes?: readonly string[];
  /** The relevant arguments; Slack ignores the others. */
  args: Schema;
  run(sandbox: Sandbox, args: z.output<Schema>): Json | Promise<Json>;
}

/** Defines a method by its arguments, scopes and effect. */
export function method<Schema extends z.ZodType>(definition: Definition<Schema>): Method {
  return {
    token: definition.token ?? 'bot',
    scopes: definition.scopes ?? [],
    run: (sandbox, args) => {
      const parsed = definition.args.safeParse(args);
      if (!parsed.success)
        throw new ApiError('invalid_arguments', { messages: parsed.error.issues.map(describeIssue) });
      return definition.run(sandbox, parsed.data);
    },
  };
}

function describeIssue(issue: z.core.$ZodIssue): string {
  const name = issue.path.map(String).join('/');
  if (issue.code === 'invalid_type' && issue.message.includes('undefined')) {
    return `[ERROR] missing required field: ${name}`;
  }
  return `[ERROR] ${issue.message} [json-pointer:/${name}]`;
}

// Form-encoded bodies contain everything as text, with lists and objects as JSON.
export const text = z.coerce.string();
export const flag = z.preprocess(
  (value) => (value === 'true' || value === '1' ? true : value === 'false' || value === '0' ? false : value),
  z.boolean(),
);
export const count = z.coerce.number().int().positive();
/** A list of ids, as JSON or separated by commas. */
export const idList = z.preprocess((value) => {
  const parsed = parseIfJson(value);
  return typeof parsed === 'string' ? parsed.split(',').map((id) => id.trim()) : parsed;
}, z.array(z.string()));
/** Any JSON value, which may arrive as text. */
export const jsonValue = z.preprocess(parseIfJson, z.unknown());

/** Text that is not JSON stays text: the method reports the fault. */
function parseIfJson(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

export const pageArguments = { cursor: text.optional(), limit: count.optional() };

/** Returns one page of a list with Slack's cursor. */
export function page<Item>(
  items: readonly Item[],
  { cursor, limit }: { cursor?: string | undefined; limit?: number | undefined },
  maximum = 1000,
): { items: Item[]; metadata: { next_cursor: string }; hasMore: boolean } {
  const start = cursor ? Number(Buffer.from(cursor, 'base64url').toString('utf8').split(':')[1]) : 0;
  if (!Number.isInteger(start) || start < 0) throw new ApiError('invalid_cursor');
  const end = start + Math.min(limit ?? 100, maximum);
  const hasMore = end < items.length;
  const next = hasMore ? Buffer.from(`at:${end}`).toString('base64url') : '';
  return { items: items.slice(start, end), metadata: { next_cursor: next }, hasMore };
}

/** Returns a conversation that the app may see. Private ones without the app do not exist for it. */
export function visibleChannel({ workspace }: Sandbox, id: string): Channel {
  const channel = workspace.channels.get(id);
  if (!channel) throw new ApiError('channel_not_found');
  if (channel.kind !== 'public' && !workspace.hasApp(channel)) throw new ApiError('channel_not_found');
  return channel;
}

export function knownPerson({ workspace }: Sandbox, id: string): Person {
  const person = workspace.people.get(id);
  if (!person) throw new ApiError('user_not_found');
  return person;
}

/** Refuses the call if the token lacks the scope for this kind of conversation: `channels:history`, `im:history` … */
export function requireKindScope({ workspace }: Sandbox, channel: Channel, permission: string): void {
  const prefix = { public: 'channels', private: 'groups', dm: 'im' }[channel.kind];
  requireScope(workspace.scopes, [`${prefix}:${permission}`]);
}

export function requireScope(granted: ReadonlySet<string>, needed: readonly string[]): void {
  if (needed.length === 0 || needed.some((scope) => granted.has(scope))) return;
  throw new ApiError('missing_scope', { members: { needed: needed.join(','), provided: [...granted].join(',') } });
}
