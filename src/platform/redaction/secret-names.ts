/** Anywhere in a name, however its words are put together. */
const PARTS =
  /token|secret|passw|passphrase|passcode|credential|authoriz|cookie|apikey|accesskey|privatekey|bearer|signature/;
/** As a word of its own: inside of others they say nothing (`author`, `monitoring`). */
const WORDS = new Set(['auth', 'oauth', 'authn', 'pwd', 'pass', 'pin', 'jwt', 'pem', 'sig', 'otp', 'salt', 'private']);

/** `httpAPIKey_name-2` → `http api key name 2` */
function wordsOf(name: string): string[] {
  return name
    .slice(0, 200)
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/[A-Z](?=[A-Z][a-z])/g, '$& ')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter(Boolean);
}

/**
 * Whether a member of this name holds a secret.
 *
 * @example isSecretName('x-api-key') // true
 * @example isSecretName('includeCoAuthoredByAgent') // false
 */
export function isSecretName(name: string): boolean {
  const words = wordsOf(name);
  return PARTS.test(words.join('')) || words.some((word) => WORDS.has(word) || /keys?$/.test(word));
}

/** A bound on tokens that a model may use is a number like any other. */
export function isTokenLimit(name: string, value: unknown): boolean {
  return typeof value === 'number' && /tokens$/i.test(name) && /max|min|limit/i.test(name);
}

/** Their members have names of their own and any of them may be a secret: headers, arguments, variables. */
export function holdsSecretValues(name: string): boolean {
  const words = wordsOf(name);
  const last = words.at(-1) ?? '';
  return /^(headers?|env|environment|variables?)$/.test(last) || words.join(' ') === 'extra args';
}
