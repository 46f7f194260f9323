import { MESSAGE_ROLES, type MessageRole } from '../../core/platform/endpoints/sessions.ts';
import type { RequiredRole, Role } from '../../core/base/roles.ts';
import { type CommandHelp, type ParsedCommand, didYouMean } from '../../core/slack/commands/command-text.ts';
import { misunderstood, run } from '../../core/slack/commands/subcommands.ts';

export interface SessionRequest {
  sessionId: string;
  role: MessageRole | undefined;
  computerId: string | undefined;
  /** The start of the page, counted from the oldest message; undefined: the newest page. */
  from: number | undefined;
}

const READERS: Record<Role, string> = {
  member: '',
  manager: ', for managers and admins',
  admin: ', for admins',
};

/** @param role who may read sessions; the commands about one’s own agent are for everyone */
export function sessionHelp(role: RequiredRole): CommandHelp {
  return {
    command: '/session',
    purpose:
      role === 'nobody'
        ? 'your own agent, by direct message.'
        : 'get a message when your agent needs you, and read sessions.',
    examples: [
      { text: 'notify', meaning: 'get a message when your agent waits for you, finishes or ends' },
      { text: 'notify status', meaning: 'whether messages are on; also notify test and notify off' },
      { text: 'notify quiet 22:00-07:00', meaning: 'get one message after these hours; notify quiet off' },
      { text: 'mine', meaning: 'the sessions of your own agent' },
      ...(role === 'nobody' ? [] : readingExamples(role)),
    ],
  };
}

/** Omits commands that are switched off. */
function readingExamples(role: Role): CommandHelp['examples'] {
  return [
    { text: '', meaning: `the sessions Quartermaster has seen${READERS[role]}` },
    { text: 'ses_1a2b', meaning: `the newest visible messages${READERS[role]}. Every look is logged` },
    { text: 'ses_1a2b user', meaning: 'only what the person said; also assistant or tool' },
    { text: 'ses_1a2b computer computer_7', meaning: 'asks that computer directly' },
  ];
}

const MAX_ID_LENGTH = 200;

/** The characters of an id; none of them can lead to another address. */
const ID = /^[A-Za-z0-9_][\w.:~@=+-]*$/;

function faultOfId(what: string, id: string): string | undefined {
  if (id.length > MAX_ID_LENGTH) return `That’s too long for the id of a ${what}: ${MAX_ID_LENGTH} characters at most.`;
  if (!ID.test(id) || id.includes('..')) {
    return `That’s not the id of a ${what}: ids have only letters, digits and . _ - : ~ @ = +.`;
  }
  return undefined;
}

/** @example parseSession(['ses_1', 'user']) // { kind: 'run', request: { sessionId: 'ses_1', role: 'user', … } } */
export function parseSession(words: readonly string[]): ParsedCommand<SessionRequest> {
  const [sessionId = '', ...rest] = words;
  if (sessionId.toLowerCase() === 'help') return { kind: 'help' };
  if (sessionId === '') return misunderstood('Which session? Type its id after the command.');
  const fault = faultOfId('session', sessionId);
  if (fault !== undefined) return misunderstood(fault);
  return readRest({ sessionId, role: undefined, computerId: undefined, from: undefined }, rest);
}

function readRest(request: SessionRequest, words: readonly string[]): ParsedCommand<SessionRequest> {
  const [word, ...rest] = words;
  if (word === undefined) return run(request);
  const lower = word.toLowerCase();
  const role = MESSAGE_ROLES.find((one) => one === lower);
  if (role) {
    if (request.role) return misunderstood('Only one role can be shown at a time.');
    return readRest({ ...request, role }, rest);
  }
  const from = /^from:(\d{1,7})$/.exec(lower)?.[1];
  if (from !== undefined) return readRest({ ...request, from: Number(from) }, rest);
  if (lower !== 'computer') return unknownWord(request, word, rest);
  const [computerId, ...more] = rest;
  if (computerId === undefined) return misunderstood('Which computer? Type its id after it.');
  const fault = faultOfId('computer', computerId);
  if (fault !== undefined) return misunderstood(fault);
  return readRest({ ...request, computerId }, more);
}

function unknownWord(request: SessionRequest, word: string, rest: readonly string[]): ParsedCommand<SessionRequest> {
  const meant = didYouMean(word, [...MESSAGE_ROLES, 'computer']);
  const sentence = `Unknown word “${word}”. After the id you can type user, assistant or tool, or computer and its id.`;
  if (meant === undefined) return { kind: 'misunderstood', sentence };
  return misunderstood(sentence, [wordsOf({ ...request, from: undefined }), meant, ...rest].join(' '));
}

/** Returns the words for a request. Buttons carry them, so that a click is checked like a typed command. */
export function wordsOf({ sessionId, role, computerId, from }: SessionRequest): string {
  const words = [
    sessionId,
    role ?? '',
    computerId === undefined ? '' : `computer ${computerId}`,
    from === undefined ? '' : `from:${from}`,
  ];
  return words.filter((word) => word !== '').join(' ');
}
