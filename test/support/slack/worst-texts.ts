/** Texts that make slow patterns slow: long runs of their repeated parts. */
const RUNS: Readonly<Record<string, string>> = {
  'slashes and colons': '//:',
  slashes: '/',
  spaces: ' ',
  dots: 'a@.',
  'at signs': '@',
  'open mentions': '<@U1|',
  'open mail links': '<mailto:',
  backticks: '```',
  'line breaks': '\n',
  'open brackets': '[{(<',
  'options of a command': '--password ',
  assignments: 'token=',
  digits: '1',
  hexadecimal: 'abcdef0123456789',
  'mixed case': 'aB1-',
  'signs of a format': '*_~',
  'words and dots': 'allowed.',
  'half a surrogate pair': '\ud83d',
  'direction marks': '\u202e\u200d',
  entities: '&amp;',
};

const WORST_LENGTH = 64 * 1024;

/** The kinds of texts, by name. */
export const WORST_KINDS = Object.keys(RUNS);

/** A text of that kind whose end does not match. */
export function worstText(kind: string, length = WORST_LENGTH): string {
  const run = RUNS[kind] ?? kind;
  return `x${run.repeat(Math.ceil(length / run.length)).slice(0, length - 2)}!`;
}
