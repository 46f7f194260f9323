/** How the tokens of well-known services begin. */
const PREFIXES = new RegExp(
  [
    String.raw`\b[spr]k[-_][\w-]{8,}`,
    String.raw`\b(?:gh[opsur]|github_pat|npm|hf|whsec|shp[a-z]{2}|dop_v1|lin_api|figd|rnd|tskey|glpat|glsa|pypi|key|xai|gsk|pat)[-_][\w-]{10,}`,
    String.raw`\bx(?:ox[a-z]|app|wfp)-[\w-]{6,}`,
    String.raw`\b(?:AKIA|ASIA|AGPA|AIDA|AROA|ANPA)[A-Z0-9]{12,}`,
    String.raw`\bAIza[\w-]{20,}`,
    String.raw`\bya29\.[\w-]+`,
    String.raw`\bSG\.[\w-]{16,}`,
    // A JWT, whole or not.
    String.raw`\beyJ[\w-]{8,}`,
    String.raw`-----BEGIN [A-Z ]+-----`,
    String.raw`\bAGE-SECRET-KEY-`,
  ].join('|'),
);

/** `Authorization: Bearer …`, `TOKEN=…`, `--password …`: a secret inside of a command or an address. */
const ASSIGNMENTS = [
  /\b(?:bearer|basic)\s+[\w+/=.~-]{6,}/i,
  /(?:token|secret|passw\w*|passphrase|pwd|key|key_?id|credentials?|authorization|cookie|signature|\bsig|\bauth)["']?\s{0,3}[=:]\s{0,3}["']?[^\s"']{3,}/i,
  /--?[\w-]{0,40}(?:token|secret|password|passwd|pwd|key|credentials?|auth|user)[ =]["']?[^\s"'-][^\s"']+/i,
  /(?:^|\s)-[up]\s+\S+:\S+/,
];

/** Between `//` and the last `@` of a word there is a name, a password or a token. */
const USER_INFO = /\/\/(?:[^\s/@]+|[^\s@]*:[^\s]*)@/;

/** Ids and digests, which are as good as secrets where nobody expects ids. */
const HEXADECIMAL = /\b(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32,})\b/i;

/** Signs of which tokens are made. */
const RUNS = /[\w+/=.~-]{16,}/g;

/**
 * Whether a text looks like it holds a secret.
 *
 * @param expectsIds ids stand here, which are as random as secrets: then only what is known to be one counts
 * @example looksSecret('ghp_16C7e42F292c6912E7710c838347Ae178B4a') // true
 */
export function looksSecret(text: string, expectsIds = false): boolean {
  if (PREFIXES.test(text) || ASSIGNMENTS.some((shape) => shape.test(text)) || USER_INFO.test(text)) return true;
  return !expectsIds && (HEXADECIMAL.test(text) || [...text.matchAll(RUNS)].some(([run]) => isRandom(run)));
}

/** Names are made of words and small numbers; what mixes letters and digits all along, or has no vowels, is random. */
function isRandom(run: string): boolean {
  const segments = run.split(/[-_./+=~]+/);
  const mixed = segments.filter((segment) => turnsOf(segment) >= 2).reduce((sum, segment) => sum + segment.length, 0);
  return mixed >= 16 || segments.some((segment) => isRandomWord(segment)) || isManySegments(run, segments);
}

/** How often letters and digits take turns. */
function turnsOf(segment: string): number {
  return [...segment.matchAll(/\d+|\D+/g)].length - 1;
}

function isRandomWord(segment: string): boolean {
  if (segment.length < 16) return false;
  if (/^\d+$/.test(segment)) return segment.length >= 20;
  const letters = segment.replaceAll(/\d/g, '');
  if (segment.length > 60) return true;
  const humps = [...letters.matchAll(/[A-Z]?[a-z]+|[A-Z]+/g)].length;
  if (humps > 2 && letters.length / humps < 3) return true;
  return /[^aeiouy]{6,}/i.test(letters) || letters.length / (letters.match(/[aeiouy]/gi)?.length ?? 0) > 4.5;
}

/** Base64 may fall apart at its `+` and `/`. */
function isManySegments(run: string, segments: readonly string[]): boolean {
  return run.length >= 24 && /[+=]/.test(run) && /[A-Z]/.test(run) && /[a-z]/.test(run) && segments.length > 1;
}
