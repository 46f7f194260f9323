import { wordsIn } from '../../../core/base/text/word-list.ts';
import type { CommandLine } from '../messages/reading.ts';
import type { Intent } from './phrases.ts';
import type { MessageParts, Slot } from './slots.ts';

export interface Filled {
  line: CommandLine;
  /** How many parts of the message have no place in the command line. */
  unused: number;
  /** Whether a word of the message has its place in the command line. */
  covers: (term: string) => boolean;
}

/** Words that turn the meaning of the others, or ask for a change: each line of a command has its own. */
const STRICT = wordsIn(
  'who not except vs or than previous before after others can will whatif create remove edit pause resume stop wouldstop',
  'sendnow watch warnme erase import before2 decide undo retry set raise howto',
);
const WHOSE = wordsIn('period span who person group channel unit');

const ACCEPTED: Readonly<Record<string, readonly string[]>> = {
  who: ['person', 'group'],
  period: ['period', 'day'],
  span: ['period'],
  id: ['id', 'number'],
  amount: ['amount', 'number'],
};

const fits = ({ kind, mustBegin }: { kind: string; mustBegin: string }, slot: Slot) =>
  (ACCEPTED[kind] ?? [kind]).includes(slot.kind) && slot.word.startsWith(mustBegin);

/** Writes the parts of a message into a command line; undefined if a needed part is missing. */
export function fill(
  { command, parts, words, commandWords }: Intent,
  { terms, slots }: MessageParts,
): Filled | undefined {
  const unused = [...slots];
  const isOwn = terms.includes('me');
  let takesWho = false;
  let isOwnTaken = false;
  const written: string[] = [];
  for (const part of parts) {
    if ('literal' in part) {
      written.push(part.literal);
      isOwnTaken ||= part.literal === 'me';
      continue;
    }
    takesWho ||= part.kind === 'who';
    const at = unused.findIndex((slot) => fits(part, slot));
    const [slot] = at < 0 ? [] : unused.splice(at, 1);
    const isMe = !slot && part.kind === 'who' && isOwn && !isOwnTaken;
    if (isMe) isOwnTaken = true;
    if (!slot && !isMe && !part.isOptional) return undefined;
    if (part.isWritten && (slot || isMe)) written.push((slot?.word ?? 'me') + part.suffix);
  }
  // “Was 77 approved? It’s my request.”
  const namesOne = parts.some((part) => 'kind' in part && !part.isOptional && !WHOSE.has(part.kind));
  const covers = (term: string) => {
    if (term.startsWith('~') || (term === 'me' && namesOne)) return true;
    if (term === 'me') return isOwnTaken || (!takesWho && words.has('me'));
    if (term === 'us') return words.has('us') || !isOwnTaken;
    return STRICT.has(term) ? words.has(term) : commandWords.has(term);
  };
  return { line: { command, text: written.join(' ') }, unused: unused.length, covers };
}
