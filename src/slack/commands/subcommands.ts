import { joinWords } from './command-text.ts';
import { didYouMean, type ParsedCommand } from './command-words.ts';

/** Reads what follows a subcommand: `rest` of `show k7m2`, whose `word` is `show`. */
export type ReadSubcommand<Request> = (rest: readonly string[], word: string) => ParsedCommand<Request>;

export const run = <Request>(request: Request): ParsedCommand<Request> => ({ kind: 'run', request });

/** @param corrected the words that were most likely meant; they are read again before they are offered */
export const misunderstood = (sentence: string, corrected?: string): ParsedCommand<never> =>
  corrected === undefined ? { kind: 'misunderstood', sentence } : { kind: 'misunderstood', sentence, corrected };

/** There is a word too many, or one that means nothing here. */
export const unexpected = (word: string | undefined, corrected?: string): ParsedCommand<never> =>
  misunderstood(`Unknown word “${word ?? ''}”.`, corrected);

/** A subcommand that takes no more words. */
export const alone =
  <Request>(request: Request): ReadSubcommand<Request> =>
  (rest, word) =>
    rest.length === 0 ? run(request) : unexpected(rest[0], word);

/**
 * A subcommand that takes the id of one thing, and no more.
 *
 * @example { edit: ofOne('digest', 'edit') } // `/digest edit k7m2` is { kind: 'edit', id: 'k7m2' }
 */
export const ofOne =
  <Kind extends string>(noun: string, kind: Kind): ReadSubcommand<{ kind: Kind; id: string }> =>
  ([id, ...rest]) => {
    if (id === undefined) return misunderstood(`Which ${noun}? The list shows their ids.`, 'list');
    return rest.length === 0 ? run({ kind, id }) : unexpected(rest[0], `${kind} ${id}`);
  };

/** What can be typed after a command; a test holds it against the help and docs/commands.md. */
export interface WordList<Request> {
  /** The subcommand that is meant without a word. */
  initial: string;
  subcommands: Readonly<Record<string, ReadSubcommand<Request>>>;
  /** What a word that is no subcommand may mean besides, such as a name; nothing where it means nothing. */
  otherwise?: (
    first: string,
    rest: readonly string[],
    nearest: string | undefined,
  ) => ParsedCommand<Request> | undefined;
}

/**
 * Reads the words after a command by their first one. A word that nobody knows is answered with the nearest one that
 * somebody does.
 *
 * @example readSubcommand(['shwo', 'k7m2'], { initial: 'list', subcommands: { list: alone({ kind: 'list' }), show: readShow } })
 */
export function readSubcommand<Request>(
  words: readonly string[],
  { initial, subcommands, otherwise }: WordList<Request>,
): ParsedCommand<Request> {
  const [first = initial, ...rest] = words;
  const word = first.toLowerCase();
  if (word === 'help') return { kind: 'help' };
  const read = Object.hasOwn(subcommands, word) ? subcommands[word] : undefined;
  if (read) return read(rest, word);
  const nearest = didYouMean(first, [...Object.keys(subcommands), 'help']);
  const other = otherwise?.(first, rest, nearest);
  if (other) return other;
  const corrected = nearest === undefined || nearest === 'help' ? undefined : joinWords([nearest, ...rest]);
  return misunderstood(`Unknown word “${first}”.`, corrected);
}
