import { type ParsedCommand, didYouMean, joinWords } from './command-text.ts';

/** Reads the words after a subcommand: for `show k7m2`, `rest` is `k7m2` and `word` is `show`. */
export type ReadSubcommand<Request> = (rest: readonly string[], word: string) => ParsedCommand<Request>;

export const run = <Request>(request: Request): ParsedCommand<Request> => ({ kind: 'run', request });

/** `corrected` is read again before it is offered. */
export const misunderstood = (sentence: string, corrected?: string): ParsedCommand<never> =>
  corrected === undefined ? { kind: 'misunderstood', sentence } : { kind: 'misunderstood', sentence, corrected };

export const unexpected = (word: string | undefined, corrected?: string): ParsedCommand<never> =>
  misunderstood(`Unknown word “${word ?? ''}”.`, corrected);

export const alone =
  <Request>(request: Request): ReadSubcommand<Request> =>
  (rest, word) =>
    rest.length === 0 ? run(request) : unexpected(rest[0], word);

/** @example { edit: ofOne('digest', 'edit') } // `/digest edit k7m2` is { kind: 'edit', id: 'k7m2' } */
export const ofOne =
  <Kind extends string>(noun: string, kind: Kind): ReadSubcommand<{ kind: Kind; id: string }> =>
  ([id, ...rest]) => {
    if (id === undefined) return misunderstood(`Which ${noun}? The list shows their ids.`, 'list');
    return rest.length === 0 ? run({ kind, id }) : unexpected(rest[0], `${kind} ${id}`);
  };

/** A test compares the words with the help and the pages of docs/commands. */
export interface WordList<Request> {
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
 * An unknown first word is answered with the closest known one.
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
