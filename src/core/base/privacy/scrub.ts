import { withoutTrailing } from '../text/trailing.ts';

export type Scrub = (text: string) => string;

const MARK = '[secret]';
/** Shorter secrets also occur in ordinary words. */
const SHORTEST_SECRET = 6;

/** Secrets of these forms are found even if they are not in the settings. */
const SHAPES: readonly RegExp[] = [
  /\bx(?:ox[abeoprs]|app|wfp)-[A-Za-z0-9-]+/g,
  /\bBearer\s[^\s"',]+/gi,
  /(?<=\b(?:https?|postgres|postgresql):\/\/)[^\s/@:"]+:[^\s/@"]+(?=@)/gi,
];

/**
 * Replaces secrets that are plain, in JSON, in an address or in Base64 (also in the middle of it). From a database
 * address, it also finds the password alone. Missing and short secrets are ignored.
 *
 * @example createScrub(['s3cret'])('key s3cret, xoxb-1-2') // 'key [secret], [secret]'
 */
export function createScrub(secrets: readonly (string | undefined)[]): Scrub {
  const secretTexts = secrets.flatMap((secret) => (secret === undefined ? [] : [secret, ...passwordsIn(secret)]));
  const forms = new Set(secretTexts.filter(({ length }) => length >= SHORTEST_SECRET).flatMap(formsOf));
  // Longest first: a form may contain another one.
  const ordered = [...forms].toSorted((one, other) => other.length - one.length);
  return (text) => {
    const withoutKnown = ordered.reduce((clean, form) => clean.replaceAll(form, MARK), text);
    return SHAPES.reduce((clean, shape) => clean.replace(shape, MARK), withoutKnown);
  };
}

function passwordsIn(secret: string): string[] {
  // An address with a slash in its password can't be parsed, and drivers still quote its parts.
  const password = URL.canParse(secret)
    ? new URL(secret).password
    : (/^[a-z+]{1,20}:\/\/[^:@]*:(.*)@/is.exec(secret)?.[1] ?? '');
  if (password === '') return [];
  try {
    return [password, decodeURIComponent(password)];
  } catch {
    return [password];
  }
}

function formsOf(secret: string): string[] {
  const inJson = JSON.stringify(secret).slice(1, -1);
  const inJsonTwice = JSON.stringify(inJson).slice(1, -1);
  const base64 = [0, 1, 2].map((offset) => base64At(secret, offset)).filter((text) => text.length >= SHORTEST_SECRET);
  const base64Url = base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'));
  return [secret, encodeURIComponent(secret), encodeURI(secret), inJson, inJsonTwice, ...base64, ...base64Url];
}

/** The Base64 form of a secret after `offset` other bytes (modulo 3): `Basic` joins a name and a password. */
function base64At(secret: string, offset: number): string {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]);
  const text = withoutTrailing(bytes.toString('base64'), '=');
  // The signs at both ends also hold bits of the neighbouring bytes.
  const end = bytes.length % 3 === 0 ? text.length : text.length - 1;
  return text.slice(offset === 0 ? 0 : offset + 1, end);
}
