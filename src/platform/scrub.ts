import { withoutTrailing } from '../trailing.ts';

/** Takes a secret out of a text. */
export type Scrub = (text: string) => string;

const MARK = '[redacted]';

/**
 * Makes a function that replaces the API key, also where a server echoes it back percent-encoded, inside JSON or in Base64.
 *
 * @example
 * createScrub('key-1')('Invalid token key-1'); // 'Invalid token [redacted]'
 */
export function createScrub(secret: string): Scrub {
  const base64 = withoutTrailing(Buffer.from(secret).toString('base64'), '=');
  const forms = new Set([secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), base64]);
  // Longest first: a form may hold another one.
  const ordered = [...forms].toSorted((a, b) => b.length - a.length);
  return (text) => ordered.reduce((clean, form) => clean.replaceAll(form, MARK), text);
}
