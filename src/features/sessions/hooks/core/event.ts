import { z } from 'zod';
import { parseJson } from '../../../../core/base/text/parse-json.ts';
import { clip, plain } from '../../../../core/base/text/markup.ts';

/** The meaning of an event; names unknown to this version are `other`. */
export type EventKind = 'waits' | 'stops' | 'ends' | 'tool' | 'subagent' | 'other';

/** A validated and shortened event of a client; its contents are not trusted. */
export interface HookEvent {
  kind: EventKind;
  /** The client’s name for the session, which gives no permission. */
  sessionId: string;
  folder: string | null;
  message: string | null;
  reason: string | null;
  /** The names of the event and its members, if unknown to this version. */
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

/** Returns undefined without a session or event name, or if a member has the wrong type. */
export function readEvent(json: string): HookEvent | undefined {
  const sent = body.safeParse(parseJson(json)).data;
  // A name of invisible characters alone is empty.
  if (!sent || plain(sent.session_id) === '') return undefined;
  const { hook_event_name: name, session_id: sessionId, cwd, message, reason } = sent;
  const kind = Object.hasOwn(KINDS, name) ? (KINDS[name] ?? 'other') : 'other';
  const members = Object.keys(sent).filter((member) => !KNOWN_MEMBERS.has(member));
  return {
    kind,
    sessionId,
    folder: folderOf(cwd ?? ''),
    message: visibleLine(message, MAX_MESSAGE_LENGTH),
    reason: visibleLine(reason, MAX_REASON_LENGTH),
    unknownNames: [...(kind === 'other' ? [name] : []), ...members]
      .map((one) => clip(plain(one), MAX_NAME_LENGTH))
      .filter((one) => one !== '')
      .slice(0, MAX_NAMES),
  };
}

/** Returns one line without characters that hide or reorder text; both databases accept it. */
function visibleLine(text: string | null | undefined, length: number): string | null {
  const line = clip(plain(text ?? ''), length);
  return line === '' ? null : line;
}

/** @example folderOf('/home/mia/web/') // 'web' */
function folderOf(path: string): string | null {
  const last = path.split(/[/\\]/).findLast((part) => part.trim() !== '');
  return visibleLine(last, MAX_FOLDER_LENGTH);
}

export function mergeNames(stored: string | null, names: readonly string[]): string | null {
  if (names.length === 0) return stored;
  const before = z
    .array(z.string())
    .catch([])
    .parse(parseJson(stored ?? ''));
  const all = [...new Set([...before, ...names])].slice(0, MAX_NAMES);
  return all.length === before.length ? stored : JSON.stringify(all);
}
