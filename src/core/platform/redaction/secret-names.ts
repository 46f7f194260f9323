import { wordsIn } from '../../base/text/word-list.ts';

/** Secret anywhere in a name, regardless of how its words are joined. */
const PARTS =
  /token|secret|passw|passphrase|passcode|credential|authoriz|cookie|apikey|accesskey|privatekey|bearer|signature|kennwort|webhook|connectionstring/;
/** Secret only as a separate word: within others they mean nothing (`author`, `monitoring`). */
const WORDS = wordsIn(
  'auth oauth authn cred creds pin pins jwt pem pfx p12 sig otp totp mfa salt private dsn hmac seed mnemonic psk',
  'pswd psw mdp contrasena parola senha',
);
/** `key`, `dbpw`, `rootpwd`, `userpass` */
const ENDS = /(?:keys?|pw|pwd|pass)$/;
const HARMLESS_ENDS = new Set(['bypass', 'compass', 'surpass', 'monkey', 'hotkey', 'hotkeys', 'turkey', 'jockey']);

/** Whatever the patterns above need: most names are dismissed without taking them apart. */
const MAYBE =
  /token|secret|pass|cred|auth|cookie|key|bearer|sig|kennwort|webhook|connectionstring|pin|jwt|pem|pfx|otp|mfa|salt|private|dsn|hmac|seed|mnemonic|psk|psw|pw|mdp|contrasena|parola|senha/i;
const ASCII = /^[ -~]*$/;

/** `httpAPIKey_name-2` → `http api key name 2` */
function wordsOf(name: string): string[] {
  return name
    .slice(0, 200)
    .normalize('NFKC')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/[A-Z](?=[A-Z][a-z])/g, '$& ')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter(Boolean);
}

/**
 * Whether a name announces a secret: of a member, an assigned name, an option, a query parameter or an item of a list.
 *
 * @example isSecretName('x-api-key') // true, as is 'DB_PASS'; 'includeCoAuthoredByAgent' is not
 */
export function isSecretName(name: string): boolean {
  if (ASCII.test(name) && !MAYBE.test(name.replaceAll(/[^A-Za-z]+/g, ''))) return false;
  const words = wordsOf(name);
  return (
    PARTS.test(words.join('')) || words.some((word) => WORDS.has(word) || (ENDS.test(word) && !HARMLESS_ENDS.has(word)))
  );
}

/** The last word of a name that is about a secret, and whose value isn't one: `AUTH_URL`, `--token-file`. */
const QUALIFIERS = wordsIn(
  'url uri endpoint host file path dir directory folder name names type types format mode method algorithm algo alg',
  'length size count limit ttl lifetime expiry expiration version provider manager helper store storage policy stdin',
  'prompt enabled disabled required usage rotation sock socket jar server servers region scope scopes',
  'audience issuer domain realm service only supported',
);
/** Words that announce a secret only together with a value that could be one. */
const SOFT_WORDS = wordsIn('auth oauth authn private seed sig salt pin pins key keys tokens credentials');

/**
 * The same for texts by people, such as commands: fewer names count, since most words of a command are no names.
 *
 * @example announcesSecret('AUTH_URL') // false; 'AUTH_TOKEN' does
 */
export function announcesSecret(name: string): boolean {
  if (!isSecretName(name)) return false;
  const words = wordsOf(name);
  // The address of a webhook is a secret itself.
  if (/webhook(?:ur[li]|endpoint)?$/.test(words.join(''))) return true;
  if (QUALIFIERS.has(words.at(-1) ?? '')) return false;
  return !/tokeni[sz]|^(?:max|min|limit)\b.*\btokens$|passwordless|cookiecutter/.test(words.join(' '));
}

/** Whether a name may also announce a harmless value: `--auth none`, `key:generate`, `--seed 42`. */
export const isSoftName = (name: string): boolean => {
  const secret = wordsOf(name).filter((word) => isSecretName(word));
  return secret.length > 0 && secret.every((word) => SOFT_WORDS.has(word));
};

/** Whether a name ends with the secret thing itself, so that the next word is its value: `aws_secret_access_key`. */
export function endsAsSecret(name: string): boolean {
  const last = wordsOf(name).at(-1) ?? '';
  return last !== '' && !SOFT_WORDS.has(last) ? isSecretName(last) : /key$/i.test(last) && isCompound(name);
}

export const isCompound = (name: string): boolean => wordsOf(name).length > 1;

/** A bound on the tokens of a model is an ordinary number. */
export function isTokenLimit(name: string, value: unknown): boolean {
  return typeof value === 'number' && /tokens$/i.test(name) && /max|min|limit/i.test(name);
}

const CONTAINERS = wordsIn(
  'header headers env envs environment variable variables var vars param params parameter parameters query',
  'queries',
);

/** Whether members have free names and any of them may be a secret: headers, arguments, variables, parameters. */
export function holdsSecretValues(name: string, value: unknown): boolean {
  const words = wordsOf(name);
  const last = words.at(-1) ?? '';
  if (CONTAINERS.has(last) || words.join(' ') === 'extra args') return true;
  return /^arg(?:s|uments?)$/.test(last) && typeof value === 'object' && value !== null && !Array.isArray(value);
}

const NUMBER_NAMES = wordsIn(
  'index limit max min count size port timeout interval seconds minutes hours days weeks months ms retries ttl',
  'temperature percent priority version depth',
);

/** Whether people may read a number of this name, such as a port or a limit. */
export const isNumberName = (name: string): boolean => wordsOf(name).some((word) => NUMBER_NAMES.has(word));
