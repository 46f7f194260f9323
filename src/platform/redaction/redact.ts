import { createHash } from 'node:crypto';
import { canonical, isJsonObject, type Json, type JsonObject } from './json.ts';
import { createFingerprint, cutMark, secretMark, type Fingerprint } from './marks.ts';
import { MAX_JUDGED_LENGTH, looksSecret } from './secret-looks.ts';
import { holdsSecretValues, isSecretName, isTokenLimit } from './secret-names.ts';

/** Settings that may be stored, logged and shown. */
export type RedactedSettings = JsonObject;
export interface Redact {
  (settings: Readonly<Record<string, unknown>>): RedactedSettings;
  /** Of its version and its key: what two redactions made of one revision cannot be compared. */
  readonly id: number;
}

/** Changes with what redaction does. */
const REDACTION_VERSION = 2;
/** Of redacted settings: the newest ones of a history are read at every poll. */
const MAX_REMEMBERED = 32;

const DEEPEST_LEVEL = 50;
const MAX_TEXT_LENGTH = MAX_JUDGED_LENGTH;
const MAX_NAME_LENGTH = 200;
/** Of all names and values of one revision. */
const MAX_CHARACTERS = 1_200_000;
const MAX_VALUES = 30_000;

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
  const remembered = new Map<string, RedactedSettings>();
  const redact = (settings: Readonly<Record<string, unknown>>) => {
    const digest = createHash('sha256').update(canonical(settings)).digest('hex');
    const walk: Walk = { fingerprint, charactersLeft: MAX_CHARACTERS, valuesLeft: MAX_VALUES };
    const redacted = remembered.get(digest) ?? redactObject(settings, { path: [], level: 1 }, walk);
    remembered.delete(digest);
    remembered.set(digest, redacted);
    const [oldest] = remembered.keys();
    if (remembered.size > MAX_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
    return redacted;
  };
  return Object.assign(redact, { id: redactionId(key) });
}

/** Fits into 31 bits; of the key it holds 24 bits of a hash, which tell nothing about it. */
function redactionId(key: string): number {
  return REDACTION_VERSION * 2 ** 24 + createHash('sha256').update(`redaction id ${key}`).digest().readUIntBE(0, 3);
}

function redactValue(value: unknown, place: Place, walk: Walk): Json {
  walk.valuesLeft -= 1;
  if (typeof value === 'string') return redactText(value, place, walk);
  if (typeof value === 'number')
    return Number.isFinite(value) ? value : cutMark('a number too large', null, walk.fingerprint);
  if (typeof value === 'boolean' || value === null) return value;
  if (!isJsonObject(value) && !Array.isArray(value)) return null;
  if (place.level > DEEPEST_LEVEL) return cutMark(`more than ${DEEPEST_LEVEL} levels deep`, value, walk.fingerprint);
  if (!Array.isArray(value)) return redactObject(value, place, walk);
  return redactList(value, { ...place, level: place.level + 1 }, walk);
}

const isSpent = ({ valuesLeft, charactersLeft }: Walk) => valuesLeft <= 0 || charactersLeft <= 0;

/** One mark stands for all that is left: a mark for each would take as long as what it saves. */
const restMark = (rest: unknown, { fingerprint }: Walk) => cutMark('the settings are too large', rest, fingerprint);

function redactList(items: readonly unknown[], place: Place, walk: Walk): Json[] {
  const redacted: Json[] = [];
  for (const [index, item] of items.entries()) {
    if (isSpent(walk)) return [...redacted, restMark(items.slice(index), walk)];
    redacted.push(redactValue(item, place, walk));
  }
  return redacted;
}

function redactText(text: string, { path }: Place, walk: Walk): string {
  if (text.length > MAX_TEXT_LENGTH) return cutMark(`a text of ${text.length} characters`, text, walk.fingerprint);
  if (looksSecret(text, ID_LISTS.has(path.join('.'))))
    return redactAddress(text, walk) ?? secretMark(text, walk.fingerprint);
  walk.charactersLeft -= text.length;
  return text.toWellFormed();
}

/** Of an address with a name or password in it, the rest may be read, if nothing in it looks like a secret. */
function redactAddress(text: string, walk: Walk): string | undefined {
  const parts = /^([a-z][a-z0-9+.-]*:\/\/)([^\s]+)@([^\s@]*)$/i.exec(text);
  const [, scheme = '', user = '', rest = ''] = parts ?? [];
  if (!parts || looksSecret(rest) || looksSecret(scheme)) return undefined;
  return `${scheme}${secretMark(user, walk.fingerprint)}@${rest}`;
}

function redactObject(value: Readonly<Record<string, unknown>>, place: Place, walk: Walk): JsonObject {
  const named = nameOfPair(value);
  const members = Object.entries(value);
  const redacted: [string, Json][] = [];
  for (const [index, [name, member]] of members.entries()) {
    if (isSpent(walk)) {
      redacted.push(['…', restMark(Object.fromEntries(members.slice(index)), walk)]);
      break;
    }
    walk.charactersLeft -= Math.min(name.length, MAX_NAME_LENGTH);
    const inner = { path: [...place.path.slice(-10), name], level: place.level + 1 };
    const isSecret = isSecretMember(name, member) || (named && /^values?$/i.test(name));
    const shown = isSecret ? redactWhole(member, walk) : redactMember(name, member, inner, walk);
    redacted.push([redactName(name, place, walk), shown]);
  }
  // `fromEntries` makes members of their own, also of the name `__proto__`.
  return Object.fromEntries(redacted);
}

function isSecretMember(name: string, member: unknown): boolean {
  return isSecretName(name) && !isTokenLimit(name, member);
}

function redactMember(name: string, member: unknown, place: Place, walk: Walk): Json {
  if (!holdsSecretValues(name)) return redactValue(member, place, walk);
  if (!isJsonObject(member)) return redactWhole(member, walk);
  const members = Object.entries(member);
  walk.valuesLeft -= members.length;
  if (isSpent(walk)) return restMark(member, walk);
  return Object.fromEntries(
    members.map(([inner, value]) => [redactName(inner, place, walk), redactWhole(value, walk)]),
  );
}

/** Nothing of it stays, except that it is not set, or on or off. */
function redactWhole(value: unknown, walk: Walk): Json {
  if (typeof value === 'boolean' || value === null || value === '') return value;
  return secretMark(value, walk.fingerprint);
}

function redactName(name: string, { path }: Place, walk: Walk): string {
  if (name.length > MAX_NAME_LENGTH) return cutMark('a name too long', name, walk.fingerprint);
  const expectsIds = ID_LISTS.has(path.join('.'));
  return looksSecret(name, expectsIds) ? secretMark(name, walk.fingerprint) : name.toWellFormed();
}

/** `{ name: 'API_TOKEN', value: … }`: what the pair is called decides. */
function nameOfPair(value: Readonly<Record<string, unknown>>): boolean {
  return ['name', 'header', 'variable', 'key', 'field'].some((member) => {
    const called = Object.hasOwn(value, member) ? value[member] : undefined;
    return typeof called === 'string' && isSecretName(called);
  });
}
