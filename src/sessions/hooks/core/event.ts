import { z } from 'zod';
import { parseJson } from '../../../base/text/parse-json.ts';
import { clip, plain } from '../../../base/text/markup.ts';

/** What an event means here; anything that this version does not know is `other`. */
export type EventKind = 'waits' | 'stops' | 'ends' | 'tool' | 'subagent' | 'other';

/** One event of a client, judged and cut; nothing in it is trusted to be true. */
export interface HookEvent {
  kind: EventKind;
  /** As the client calls the session: a name, not a right. */
  sessionId: string;
  folder: string | null;
  message: string | null;
  reason: string | null;
  /** The event's own name and its members', where this version does not know them. */
  unknownNames: readonly string[];
}

const KINDS: Readonly<Record<string, EventKind>> = {
  Notification: 'waits',
  Stop: 'stops',
  SessionEnd: 'ends',
  PostToolUse: 'tool',
  SubagentStop: 'subagent',
};
export const EVENT_NAMES = Object.keys(KINDS);

const MAX_SESSION_ID_LENGTH = 200;
const MAX_MESSAGE_LENGTH = 500;
const MAX_REASON_LENGTH = 100;
const MAX_FOLDER_LENGTH = 80;
const MAX_NAME_LENGTH = 60;
const MAX_NAMES = 20;

const body = z.looseObject({
  hook_event_name: z.string().min(1).max(100),
  session_id: z.string().min(1).max(MAX_SESSION_ID_LENGTH),
  cwd: z.string().max(8_192).nullish(),
  message: z.string().max(65_536).nullish(),
  reason: z.string().max(8_192).nullish(),
});
const KNOWN_MEMBERS: ReadonlySet<string> = new Set(Object.keys(body.shape));

/**
 * Judges what a client sent. What holds no session or no event, or a member of another type, is nothing.
 *
 * @example readEvent('{"hook_event_name":"Stop","session_id":"s1","cwd":"/home/mia/web"}') // { kind: 'stops', folder: 'web', … }
 */
export function readEvent(json: string): HookEvent | undefined {
  const sent = body.safeParse(parseJson(json)).data;
  // A name of nothing but invisible signs names nothing.
  if (!sent || plain(sent.session_id) === '') return undefined;
  const { hook_event_name: name, session_id: sessionId, cwd, message, reason } = sent;
  const kind = Object.hasOwn(KINDS, name) ? (KINDS[name] ?? 'other') : 'other';
  const members = Object.keys(sent).filter((member) => !KNOWN_MEMBERS.has(member));
  return {
    kind,
    sessionId,
    folder: folderOf(cwd ?? ''),
    message: said(message, MAX_MESSAGE_LENGTH),
    reason: said(reason, MAX_REASON_LENGTH),
    unknownNames: [...(kind === 'other' ? [name] : []), ...members]
      .map((one) => clip(plain(one), MAX_NAME_LENGTH))
      .filter((one) => one !== '')
      .slice(0, MAX_NAMES),
  };
}

/** One line without what hides or reorders text; both stores take it. */
function said(text: string | null | undefined, length: number): string | null {
  const shown = clip(plain(text ?? ''), length);
  return shown === '' ? null : shown;
}

/** @example folderOf('/home/mia/web/') // 'web' */
function folderOf(path: string): string | null {
  const last = path.split(/[/\\]/).findLast((part) => part.trim() !== '');
  return said(last, MAX_FOLDER_LENGTH);
}

/** Together with those that were noted before, as far as they are kept. */
export function mergeNames(known: string | null, names: readonly string[]): string | null {
  if (names.length === 0) return known;
  const before = z
    .array(z.string())
    .catch([])
    .parse(parseJson(known ?? ''));
  const all = [...new Set([...before, ...names])].slice(0, MAX_NAMES);
  return all.length === before.length ? known : JSON.stringify(all);
}
