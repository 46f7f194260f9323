import { readEmail, straightenApostrophes } from '../../base/text/email.ts';
import { closest, distance } from 'fastest-levenshtein';

export type Reference =
  | { kind: 'person'; slackId: string }
  | { kind: 'group'; slackId: string }
  | { kind: 'channel'; slackId: string }
  | { kind: 'email'; email: string };

// Phones and desktops turn typed quotes, dashes and dots into typographic ones.
const TYPOGRAPHIC: readonly (readonly [RegExp, string])[] = [
  [/[“”„‟«»]/g, '"'],
  [/[‐‑‒–—―−]/g, '-'],
  [/…/g, '..'],
  [/[\u00a0\u2007\u202f\s]+/g, ' '],
];

/** Words in quotes, words in single quotes that have apostrophes in them, and other words. */
const WORDS = /((?:"[^"]*"|'[^']*')+)(?=\s|$)|'((?:[^']|'(?=\S))*)'(?=\s|$)|\S+/g;

/**
 * Quoted words stay together, and each reference that Slack escaped (`<@U1|max>`, `<mailto:a@b.c|a@b.c>`) is one word.
 * A quote only counts at the beginning of a word, so that `o'brien@acme.example` and `@D’Angelo` are one word each.
 *
 * @example splitWords('people “last week” <@U123|Max Weber>') // ['people', 'last week', '<@U123>']
 */
export function splitWords(text: string): string[] {
  let plain = straightenApostrophes(text);
  for (const [sign, replacement] of TYPOGRAPHIC) plain = plain.replace(sign, replacement);
  plain = plain
    .replace(/<mailto:([^<|>]+)(\|[^<>]*)?>/gi, '$1')
    .replace(/<((?:@|#|!subteam\^)[^<|>\s]+)(\|[^<>]*)?>/g, '<$1>');
  return [...plain.matchAll(WORDS)].map(
    ([word, quoted, inner]) => inner ?? quoted?.replaceAll(/"([^"]*)"|'([^']*)'/g, '$1$2') ?? word,
  );
}

export function readReference(word: string): Reference | undefined {
  const escaped = /^<(@|#|!subteam\^)([A-Z0-9]+)>$/.exec(word);
  const slackId = escaped?.[2];
  if (slackId !== undefined) {
    if (escaped?.[1] === '@') return { kind: 'person', slackId };
    return { kind: escaped?.[1] === '#' ? 'channel' : 'group', slackId };
  }
  const email = readEmail(word);
  return email === undefined ? undefined : { kind: 'email', email };
}

/** Undefined if no word is near. @example didYouMean('sumary', ['summary', 'models']) // 'summary' */
export function didYouMean(word: string, candidates: readonly string[]): string | undefined {
  if (candidates.length === 0 || word.length > 40) return undefined;
  const lower = word.toLowerCase();
  const best = closest(lower, candidates);
  const allowed = Math.max(1, Math.floor(Math.max(lower.length, best.length) / 3));
  return distance(lower, best) <= allowed ? best : undefined;
}

export type ParsedCommand<Request> =
  | { kind: 'run'; request: Request }
  | { kind: 'help' }
  /** `sentence` names the unknown word; `corrected` is the most likely meaning. */
  | { kind: 'misunderstood'; sentence: string; corrected?: string };

export interface CommandHelp {
  command: string;
  purpose: string;
  examples: readonly { text: string; meaning: string }[];
  /** Whether it takes a user group: then the help names the chosen teams. */
  takesTeams?: true;
}
