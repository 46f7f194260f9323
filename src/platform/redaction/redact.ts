import { isJsonObject, type Json, type JsonObject } from './json.ts';
import { createFingerprint, cutMark, secretMark, type Fingerprint } from './marks.ts';
import { looksSecret } from './secret-looks.ts';
import { holdsSecretValues, isSecretName, isTokenLimit } from './secret-names.ts';

/** Settings that may be stored, logged and shown. */
export type RedactedSettings = JsonObject;
export type Redact = (settings: Readonly<Record<string, unknown>>) => RedactedSettings;

/** Changes with what redaction does: what two versions of it made of one revision cannot be compared. */
export const REDACTION_VERSION = 1;

const DEEPEST_LEVEL = 50;
const LONGEST_TEXT = 2_000;
const KEPT_TEXT = 500;
const LONGEST_NAME = 200;
/** Of all names and values of one revision. */
const MOST_CHARACTERS = 2_000_000;
const MOST_VALUES = 100_000;

/** Ids stand here: they look as random as secrets, and people have to read them. */
const ID_LISTS = new Set([
  'missionPolicy.allowedUserIds',
  'modelPolicy.allowedModelIds',
  'modelPolicy.blockedModelIds',
  'customModels.id',
  'customModels.model',
  'userModelPolicies',
]);

interface Walk {
  fingerprint: Fingerprint;
  charactersLeft: number;
  valuesLeft: number;
}

interface Place {
  /** Names of members; those of lists have none. */
  path: readonly string[];
  level: number;
}

/**
 * Makes the function that takes every secret out of settings: by the names and places of members, in any nesting, and
 * whatever looks like one. What is too deep, too long or too much is cut, and says so.
 *
 * @param key of the fingerprints: the same secret has the same one, as long as the key stays
 * @example createRedact('k')({ apiKey: 'sk-1', ring: 'beta' }) // { apiKey: '‹secret #…, up to 8 characters›', ring: 'beta' }
 */
export function createRedact(key: string): Redact {
  const fingerprint = createFingerprint(key);
  return (settings) => {
    const walk: Walk = { fingerprint, charactersLeft: MOST_CHARACTERS, valuesLeft: MOST_VALUES };
    return redactObject(settings, { path: [], level: 1 }, walk);
  };
}

function redactValue(value: unknown, place: Place, walk: Walk): Json {
  walk.valuesLeft -= 1;
  if (walk.valuesLeft < 0 || walk.charactersLeft < 0)
    return cutMark('the settings are too large', value, walk.fingerprint);
  if (typeof value === 'string') return redactText(value, place, walk);
  if (typeof value === 'number')
    return Number.isFinite(value) ? value : cutMark('a number too large', null, walk.fingerprint);
  if (typeof value === 'boolean' || value === null) return value;
  if (!isJsonObject(value) && !Array.isArray(value)) return null;
  if (place.level > DEEPEST_LEVEL) return cutMark(`more than ${DEEPEST_LEVEL} levels deep`, value, walk.fingerprint);
  if (!Array.isArray(value)) return redactObject(value, place, walk);
  return value.map((item: unknown) => redactValue(item, { ...place, level: place.level + 1 }, walk));
}

function redactText(text: string, { path }: Place, walk: Walk): string {
  if (looksSecret(text, ID_LISTS.has(path.join('.'))))
    return redactAddress(text, walk) ?? secretMark(text, walk.fingerprint);
  walk.charactersLeft -= Math.min(text.length, LONGEST_TEXT);
  if (text.length <= LONGEST_TEXT) return text.toWellFormed();
  const cut = cutMark(`${text.length} characters in all`, text, walk.fingerprint);
  return `${text.slice(0, KEPT_TEXT).toWellFormed()}… ${cut}`;
}

/** Of an address with a name or password in it, the rest may be read, if nothing in it looks like a secret. */
function redactAddress(text: string, walk: Walk): string | undefined {
  const parts = /^([a-z][a-z0-9+.-]*:\/\/)([^\s]+)@([^\s@]*)$/i.exec(text);
  const [, scheme = '', user = '', rest = ''] = parts ?? [];
  if (!parts || rest.length > LONGEST_TEXT || looksSecret(rest) || looksSecret(scheme)) return undefined;
  return `${scheme}${secretMark(user, walk.fingerprint)}@${rest}`;
}

function redactObject(value: Readonly<Record<string, unknown>>, place: Place, walk: Walk): JsonObject {
  const named = nameOfPair(value);
  // `fromEntries` makes members of their own, also of the name `__proto__`.
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      walk.charactersLeft -= Math.min(name.length, LONGEST_NAME);
      const inner = { path: [...place.path.slice(-10), name], level: place.level + 1 };
      const isSecret = isSecretMember(name, member) || (named && /^values?$/i.test(name));
      return [
        redactName(name, place, walk),
        isSecret ? redactWhole(member, walk) : redactMember(name, member, inner, walk),
      ];
    }),
  );
}

function isSecretMember(name: string, member: unknown): boolean {
  return isSecretName(name) && !isTokenLimit(name, member);
}

function redactMember(name: string, member: unknown, place: Place, walk: Walk): Json {
  if (!holdsSecretValues(name)) return redactValue(member, place, walk);
  if (!isJsonObject(member)) return redactWhole(member, walk);
  return Object.fromEntries(
    Object.entries(member).map(([inner, value]) => [redactName(inner, place, walk), redactWhole(value, walk)]),
  );
}

/** Nothing of it stays, except that it is not set, or on or off. */
function redactWhole(value: unknown, walk: Walk): Json {
  if (typeof value === 'boolean' || value === null || value === '') return value;
  return secretMark(value, walk.fingerprint);
}

function redactName(name: string, { path }: Place, walk: Walk): string {
  const expectsIds = ID_LISTS.has(path.join('.'));
  if (looksSecret(name, expectsIds)) return secretMark(name, walk.fingerprint);
  return name.length > LONGEST_NAME ? cutMark('a name too long', name, walk.fingerprint) : name.toWellFormed();
}

/** `{ name: 'API_TOKEN', value: … }`: what the pair is called decides. */
function nameOfPair(value: Readonly<Record<string, unknown>>): boolean {
  return ['name', 'header', 'variable', 'key', 'field'].some((member) => {
    const called = Object.hasOwn(value, member) ? value[member] : undefined;
    return typeof called === 'string' && isSecretName(called);
  });
}
