import { joinWords } from './command-text.ts';
import { didYouMean, type ParsedCommand } from './command-words.ts';

/** Reads the words after a subcommand: for `show k7m2`, `rest` is `k7m2` and `word` is `show`. */
export type ReadSubcommand<Request> = (rest: readonly string[], word: string) => ParsedCommand<Request>;

export const run = <Request>(request: Request): ParsedCommand<Request> => ({ kind: 'run', request });

/** @param corrected the most likely meaning; it is read again before it is offered */
export const misunderstood = (sentence: string, corrected?: string): ParsedCommand<never> =>
  corrected === undefined ? { kind: 'misunderstood', sentence } : { kind: 'misunderstood', sentence, corrected };

/** Reports a superfluous or unknown word. */
export const unexpected = (word: string | undefined, corrected?: string): ParsedCommand<never> =>
  misunderstood(`Unknown word “${word ?? ''}”.`, corrected);

/** A subcommand without further words. */
export const alone =
  <Request>(request: Request): ReadSubcommand<Request> =>
  (rest, word) =>
    rest.length === 0 ? run(request) : unexpected(rest[0], word);

/**
 * A subcommand that takes the id of one thing and no further words.
 *
 * @example { edit: ofOne('digest', 'edit') } // `/digest edit k7m2` is { kind: 'edit', id: 'k7m2' }
 */
export const ofOne =
  <Kind extends string>(noun: string, kind: Kind): ReadSubcommand<{ kind: Kind; id: string }> =>
  ([id, ...rest]) => {
    if (id === undefined) return misunderstood(`Which ${noun}? The list shows their ids.`, 'list');
    return rest.length === 0 ? run({ kind, id }) : unexpected(rest[0], `${kind} ${id}`);
  };

/** The words that a command accepts; a test compares them with the help and docs/commands.md. */
export interface WordList<Request> {
  /** The subcommand for an empty text. */
  initial: string;
  subcommands: Readonly<Record<string, ReadSubcommand<Request>>>;
  /** Reads a first word that is no subcommand, such as a name; undefined if it means nothing. */
  otherwise?: (
    first: string,
    rest: readonly string[],
    nearest: string | undefined,
  ) => ParsedCommand<Request> | undefined;
}

/**
 * Reads the words after a command by their first one. An unknown word is answered with the closest known one.
 *
 * @example readSubcommand(['shwo', 'k7m2'], { initial: 'list', subcommands: { list: alone({ kind: 'list' }), show:
 * readShow } })
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
