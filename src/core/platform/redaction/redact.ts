import { createHash } from 'node:crypto';
import { canonical, isJsonObject, type Json, type JsonObject } from './json.ts';
import { createFingerprint, cutMark, isWholeMark, secretMark, withoutMarks, type Fingerprint } from './marks.ts';
import { isDocumentedNumber, shownAs, type ShownAs } from './documented-settings.ts';
import { isVariableName } from './harmless.ts';
import { MAX_JUDGED_LENGTH, looksLikeToken, looksSecret } from './secret-patterns.ts';
import { holdsSecretValues, isNumberName, isSecretName, isTokenLimit } from './secret-names.ts';
import { startReading, type ReadingState } from './announced/reading-state.ts';
import { showText } from './shown-text.ts';

export type RedactedSettings = JsonObject;
export interface Redact {
  (settings: Readonly<Record<string, unknown>>): RedactedSettings;
  /** Identifies the version and the key: redactions with different ids cannot be compared. */
  readonly id: number;
}

/** The least id of this version: one that is less, with or without its sign, is from an earlier version. */
export const FIRST_ID_OF_VERSION = 4 * 2 ** 24;

/** Must change whenever the result of the redaction changes. */
const REDACTION_VERSION = FIRST_ID_OF_VERSION / 2 ** 24;
/** The number of cached redactions: the newest revisions of a history are read at every poll. */
const MAX_REMEMBERED = 32;

const DEEPEST_LEVEL = 50;
const MAX_TEXT_LENGTH = MAX_JUDGED_LENGTH;
const MAX_NAME_LENGTH = 200;
/** The most characters in all names and values of one revision. */
const MAX_CHARACTERS = 1_200_000;
const MAX_VALUES = 30_000;

interface Walk {
  fingerprint: Fingerprint;
  charactersLeft: number;
  valuesLeft: number;
}

interface Place {
  /** Names of members; those of lists have none. */
  path: readonly string[];
  level: number;
  /** The state of a list: an item may be the name of the next one, such as `--token`. */
  reading?: ReadingState | undefined;
}

/**
 * Removes every secret from settings. Members that the API document describes as policy keep all but parts that look
 * secret. All others keep only parts that are known to be harmless, with a mark for each hidden value. Parts that are
 * too deep, too long or too large are cut and marked as such.
 *
 * @param key of the fingerprints: equal secrets have equal fingerprints while the key stays the same
 * @example createRedact('k')({ apiKey: 'sk-1', ring: 'beta' }) // apiKey: '‹secret #…, up to 8 characters›'
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

/** Fits into 31 bits. It contains 24 bits of a hash of the key, which reveal nothing about the key. */
function redactionId(key: string): number {
  return REDACTION_VERSION * 2 ** 24 + createHash('sha256').update(`redaction id ${key}`).digest().readUIntBE(0, 3);
}

function redactValue(value: unknown, place: Place, walk: Walk): Json {
  walk.valuesLeft -= 1;
  if (typeof value === 'string') return redactText(value, place, walk);
  if (typeof value === 'number') return redactNumber(value, place, walk);
  if (typeof value === 'boolean' || value === null) return value;
  if (!isJsonObject(value) && !Array.isArray(value)) return null;
  if (place.level > DEEPEST_LEVEL) return cutMark(`more than ${DEEPEST_LEVEL} levels deep`, value, walk.fingerprint);
  if (!Array.isArray(value)) return redactObject(value, place, walk);
  return redactList(value, { ...place, level: place.level + 1, reading: startReading() }, walk);
}

function redactNumber(value: number, { path, reading }: Place, walk: Walk): Json {
  if (!Number.isFinite(value)) return cutMark('a number too large', null, walk.fingerprint);
  const isShown = isDocumentedNumber(path) || isNumberName(path.at(-1) ?? '');
  if (isShown && !reading?.expected) return value;
  if (reading) reading.expected = undefined;
  return secretMark(value, walk.fingerprint);
}

const isSpent = ({ valuesLeft, charactersLeft }: Walk) => valuesLeft <= 0 || charactersLeft <= 0;

/** One mark replaces the whole rest: a mark for each value would take as long as the work it saves. */
const restMark = (rest: unknown, { fingerprint }: Walk) => cutMark('the settings are too large', rest, fingerprint);

function redactList(items: readonly unknown[], place: Place, walk: Walk): Json[] {
  const redacted: Json[] = [];
  for (const [index, item] of items.entries()) {
    if (isSpent(walk)) return [...redacted, restMark(items.slice(index), walk)];
    redacted.push(redactValue(item, place, walk));
  }
  return redacted;
}

function redactText(text: string, place: Place, walk: Walk): string {
  const { fingerprint } = walk;
  if (text.length > MAX_TEXT_LENGTH) return cutMark(`a text of ${text.length} characters`, text, fingerprint);
  walk.charactersLeft -= text.length;
  return hideSecrets(text, place, walk);
}

/** A text under one of these names is empty or a name itself. */
const NAMING = /^(?:name|key|variable|header|field)$/i;

function hideSecrets(text: string, { path, reading = startReading() }: Place, { fingerprint }: Walk): string {
  const hide = (part: string) => secretMark(part, fingerprint);
  const display: ShownAs = shownAs(path);
  // A mark of an earlier redaction stays, so that it can still be compared.
  if (text === '' || isWholeMark(text)) return text;
  const isStrict = display === 'configuration';
  const expectsIds = display === 'id';
  const isNamed = isStrict && NAMING.test(path.at(-1) ?? '') && isVariableName(text);
  if (isNamed && !reading.expected) return text;
  const visibleText = showText(text.toWellFormed(), { hide, reading, isStrict, expectsIds });
  const rest = withoutMarks(visibleText);
  return (isStrict ? looksSecret(rest) : looksLikeToken(rest, expectsIds)) ? hide(text) : visibleText;
}

function redactObject(value: Readonly<Record<string, unknown>>, place: Place, walk: Walk): JsonObject {
  const isSecretPair = isPairOfSecret(value);
  const members = Object.entries(value);
  const redacted: [string, Json][] = [];
  for (const [index, [name, member]] of members.entries()) {
    if (isSpent(walk)) {
      redacted.push(['…', restMark(Object.fromEntries(members.slice(index)), walk)]);
      break;
    }
    walk.charactersLeft -= Math.min(name.length, MAX_NAME_LENGTH);
    const inner = { path: [...place.path.slice(-10), name], level: place.level + 1 };
    const isSecret = isSecretMember(name, member) || (isSecretPair && !isNaming(name));
    const redactedMember = isSecret ? redactWhole(member, walk) : redactMember(name, member, inner, walk);
    redacted.push([redactName(name, inner, walk), redactedMember]);
  }
  // `fromEntries` creates own members, even one named `__proto__`.
  return Object.fromEntries(redacted);
}

function isSecretMember(name: string, member: unknown): boolean {
  return isSecretName(name) && !isTokenLimit(name, member) && !(typeof member === 'boolean');
}

function redactMember(name: string, member: unknown, place: Place, walk: Walk): Json {
  if (!holdsSecretValues(name, member)) return redactValue(member, place, walk);
  if (!isJsonObject(member)) return redactWhole(member, walk);
  const members = Object.entries(member);
  walk.valuesLeft -= members.length;
  if (isSpent(walk)) return restMark(member, walk);
  return Object.fromEntries(
    members.map(([inner, value]) => [
      redactName(inner, { ...place, path: [...place.path, inner] }, walk),
      redactWhole(value, walk),
    ]),
  );
}

/** Hides a value entirely, except that it is unset, on or off. */
function redactWhole(value: unknown, walk: Walk): Json {
  if (typeof value === 'boolean' || value === null || value === '') return value;
  if (typeof value === 'string' && isWholeMark(value)) return value;
  return secretMark(value, walk.fingerprint);
}

function redactName(name: string, { path }: Pick<Place, 'path'>, walk: Walk): string {
  if (name.length > MAX_NAME_LENGTH) return cutMark('a name too long', name, walk.fingerprint);
  const isId = shownAs(path) === 'id';
  const isHidden = looksSecret(name, isId) || (!isId && isUserInfo(name));
  return isHidden ? secretMark(name, walk.fingerprint) : name.toWellFormed();
}

/** `root:password@host` */
function isUserInfo(name: string): boolean {
  const colon = name.indexOf(':');
  return colon >= 0 && name.includes('@', colon);
}

const isNaming = (name: string) => NAMING.test(name) || /^(?:id|type|kind|description|required|option)$/i.test(name);

/** `{ name: 'API_TOKEN', value: … }`: the name of the pair decides about its other members. */
function isPairOfSecret(value: Readonly<Record<string, unknown>>): boolean {
  return ['name', 'header', 'variable', 'key', 'field', 'id', 'option', 'flag'].some((member) => {
    const called = Object.hasOwn(value, member) ? value[member] : undefined;
    return typeof called === 'string' && called.length <= MAX_NAME_LENGTH && isSecretName(called);
  });
}
