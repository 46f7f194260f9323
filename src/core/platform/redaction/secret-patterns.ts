import { isSecretName } from './secret-names.ts';

const PREFIXES: readonly RegExp[] = [
  /\b[spr]k[-_](?=[\w-]{0,20}[\dA-Z])[\w-]{8}/,
  /\b(?:gh[opsur]|github_pat|whsec|shp[a-z]{2}|dop_v1|lin_api|figd|tskey|glpat|glsa|xai|gsk)[-_][\w-]{10}/,
  // These are words too: `npm_config_registry`.
  /\b(?:npm|hf|rnd|pypi|key|pat)[-_](?=[\w-]{0,12}[\dA-Z])[\w-]{10}/,
  /\bx(?:ox[a-z]|app|wfp)-[\w-]{6}/,
  /\b(?:AKIA|ASIA|AGPA|AIDA|AROA|ANPA)[A-Z0-9]{12}/,
  /\bAIza[\w-]{20}/,
  /\bya29\.[\w-]/,
  /\bSG\.[\w-]{16}/,
  /\beyJ[\w-]{8}/,
  /-----BEGIN [A-Z ]/,
  /\bAGE-SECRET-KEY-/,
  // `Authorization: Bearer …`
  /\bbearer\s[\s\w+/=.~-]{6}/i,
  /\b[Bb]asic\s{1,3}(?=[A-Za-z+/]{0,40}(?:\d|=|[a-z][A-Z]))[\w+/=]{6}/,
];

/** An assignment to a name: `TOKEN=…`, `"cookie": …`. */
const ASSIGNMENT = /[=:](?=\s{0,3}["']?[^\s"']{3})/g;
const MAX_ASSIGNED_NAME_LENGTH = 60;

/** An option of a command: `--password …`, `-api-key=…`. */
const OPTION = /(?:^|[^\w-])--?([\w-]+)[ =](?=["']?[^\s"'-][^\s"'])/g;
/** `-u name:password` */
const SHORT_USER = /(?:^|\s)-[up]\s{1,3}([^\s:]+):\S/;

/** Ids and digests, which count as secrets if no ids are expected. */
const HEXADECIMAL = /\b(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32})/i;

/** The characters that tokens consist of. */
const RUNS = /[\w+/=.~-]{16,}/g;
const SHORTEST_RUN = 16;

/** The caller cuts longer texts first: some checks below read a text more than once. */
export const MAX_JUDGED_LENGTH = 2_000;

/**
 * @param text at most `MAX_JUDGED_LENGTH` characters; a longer one counts as a secret
 * @param expectsIds whether ids are expected, which are as random as secrets: then only known forms of secrets count
 * @example looksSecret('ghp_16C7e42F292c6912E7710c838347Ae178B4a') // true
 */
export function looksSecret(text: string, expectsIds = false): boolean {
  return looksLikeToken(text, expectsIds) || assignsSecret(text) || holdsUserInfo(text);
}

/** The same without the names before values, which texts by people have in many harmless forms. */
export function looksLikeToken(text: string, expectsIds = false): boolean {
  if (text.length > MAX_JUDGED_LENGTH || PREFIXES.some((shape) => shape.test(text))) return true;
  if (expectsIds || text.length < SHORTEST_RUN) return false;
  return HEXADECIMAL.test(text) || anyMatch(text, RUNS, ([run]) => isRandom(run));
}

function assignsSecret(text: string): boolean {
  // Most texts contain none of these characters, and finding a character is many times cheaper than matching a pattern.
  const isAssigning = text.includes('=') || text.includes(':');
  if (isAssigning && anyMatch(text, ASSIGNMENT, ({ index }) => isSecretName(wordBefore(text, index)))) return true;
  if (!text.includes('-')) return false;
  return anyMatch(text, OPTION, ([, name = '']) => isSecretName(name) || name === 'user') || SHORT_USER.test(text);
}

/** Texts by people have a few of each. A text with more counts as a secret, at no cost except that it is hidden. */
const MAX_MATCHES = 100;

function anyMatch(text: string, shape: RegExp, isMeant: (match: RegExpExecArray) => boolean): boolean {
  let count = 0;
  for (const match of text.matchAll(shape)) {
    count += 1;
    if (isMeant(match) || count > MAX_MATCHES) return true;
  }
  return false;
}

/** Skips a quote and spaces. Searches backwards, since forwards each word is tried. */
function wordBefore(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - MAX_ASSIGNED_NAME_LENGTH), at).trimEnd();
  const name = before.endsWith('"') || before.endsWith("'") ? before.slice(0, -1) : before;
  let start = name.length;
  while (start > 0 && isWordSign(name.charCodeAt(start - 1))) start -= 1;
  return name.slice(start);
}

function isWordSign(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95;
}

/** Between `//` and the `@` of a word is a name, a password or a token. */
function holdsUserInfo(text: string): boolean {
  return (
    text.includes('@') &&
    text.split(/\s/).some((word) => {
      for (let at = word.indexOf('//'); at >= 0; at = word.indexOf('//', at + 1)) {
        const end = word.indexOf('@', at + 2);
        if (end < 0) return false;
        const user = word.slice(at + 2, end);
        if (user.includes(':') || (user !== '' && !user.includes('/'))) return true;
      }
      return false;
    })
  );
}

/** Names consist of words and small numbers. A mix of letters and digits throughout, or without vowels, is random. */
function isRandom(run: string): boolean {
  const segments = run.split(/[-_./+=~]+/);
  const mixed = segments
    .filter((segment) => segment.length > 2 && turnsOf(segment) >= 2)
    .reduce((sum, segment) => sum + segment.length, 0);
  return mixed >= 16 || segments.some((segment) => isRandomWord(segment)) || isManySegments(run, segments);
}

const turnsOf = (segment: string): number => [...segment.matchAll(/\d+|\D+/g)].length - 1;

function isRandomWord(segment: string): boolean {
  if (segment.length < 16) return false;
  if (/^\d+$/.test(segment)) return segment.length >= 20;
  const letters = segment.replaceAll(/\d/g, '');
  if (segment.length > 60) return true;
  const humps = [...letters.matchAll(/[A-Z]?[a-z]+|[A-Z]+/g)].length;
  if (humps > 2 && letters.length / humps < 3) return true;
  return /[^aeiouy]{6}/i.test(letters) || letters.length / (letters.match(/[aeiouy]/gi)?.length ?? 0) > 4.5;
}

/** Base64 may be split at its `+` and `/`. */
function isManySegments(run: string, segments: readonly string[]): boolean {
  return run.length >= 24 && /[+=]/.test(run) && /[A-Z]/.test(run) && /[a-z]/.test(run) && segments.length > 1;
}
