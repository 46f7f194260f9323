import { isFileName, isHarmlessWord, isOptionName, isScopedPackage, isVariableName } from './harmless.ts';
import { isWholeMark } from './marks.ts';
import { looksSecret, looksLikeToken } from './secret-patterns.ts';
import { findSecretValues } from './announced/secret-values.ts';
import type { ReadingState } from './announced/reading-state.ts';
import { showAddressOrUser, type Hide } from './shown-address.ts';

interface DisplayOptions {
  hide: Hide;
  reading: ReadingState;
  /** For configurations: everything that is not known to be harmless is hidden. */
  isStrict: boolean;
  /** Ids are as random as secrets. */
  expectsIds?: boolean;
}

/** A part of a text: of the hidden parts that follow each other, one mark is made. */
interface Part {
  text: string;
  isHidden: boolean;
}

/** No command has more words, and each takes time. */
const MAX_PARTS = 500;
/** A mark of an earlier redaction, or a word: what was hidden once stays comparable. */
const WORDS = /‹secret #[0-9a-f]{12}, [^‹›]{1,40}›|\s+|[^\s‹]+|‹/g;

/**
 * @example
 * showText('curl --token abc', { hide: () => '‹hidden›', reading: startReading(), isStrict: false }) // 'curl --token
 * ‹hidden›'
 */
export function showText(text: string, options: DisplayOptions): string {
  const ranges = findSecretValues(text, options.reading, options.isStrict);
  const parts: Part[] = [];
  let at = 0;
  for (const [start, end] of ranges) {
    parts.push(...partsOf(text.slice(at, start), options), { text: text.slice(start, end), isHidden: true });
    at = end;
  }
  parts.push(...partsOf(text.slice(at), options));
  return parts.length > MAX_PARTS ? options.hide(text) : joined(parts, options.hide);
}

function partsOf(text: string, options: DisplayOptions): Part[] {
  const words = text.match(WORDS) ?? [];
  if (words.length > MAX_PARTS) return [{ text, isHidden: true }];
  return words.map((word) => {
    const visible = /^\s/.test(word) || isWholeMark(word) ? word : showWord(word, options);
    return visible === undefined ? { text: word, isHidden: true } : { text: visible, isHidden: false };
  });
}

function joined(parts: readonly Part[], hide: Hide): string {
  const visible: string[] = [];
  let hidden = '';
  for (const [index, { text, isHidden }] of parts.entries()) {
    const isGap = hidden !== '' && /^\s+$/.test(text) && parts[index + 1]?.isHidden === true;
    if (isHidden || isGap) {
      hidden += text;
      continue;
    }
    if (hidden !== '') visible.push(hide(hidden));
    hidden = '';
    visible.push(text);
  }
  return `${visible.join('')}${hidden === '' ? '' : hide(hidden)}`;
}

/** @returns undefined if the whole word is hidden */
const showWord = (word: string, options: DisplayOptions): string | undefined =>
  options.isStrict
    ? (showOption(word, options) ?? showAssignment(word, options) ?? showPlain(word, options))
    : showPlain(word, options);

const withoutQuotes = (word: string) => word.replace(/^["'`([{]{1,3}/, '').replace(/["'`)\]},;]{1,3}$/, '');

/** `--token`, `--name=abc`, `-pWinter2026` in a configuration. */
function showOption(word: string, options: DisplayOptions): string | undefined {
  const [, option = '', sign = '', value = ''] = /^(--?[A-Za-z][\w-]*)(?:([=:])(.*))?$/s.exec(word) ?? [];
  if (option === '') return undefined;
  const isName = isOptionName(option) && !looksSecret(option);
  if (sign !== '') return `${isName ? option : options.hide(option)}${sign}${showValue(value, options)}`;
  if (isName) return option;
  return word.startsWith('--') ? showPlain(word, options) : option.slice(0, 2) + options.hide(option.slice(2));
}

/** `NAME=abc` in a configuration. */
function showAssignment(word: string, options: DisplayOptions): string | undefined {
  const at = word.search(/[=:]/);
  if (at <= 0 || word.startsWith('://', at) || word.includes('?')) return undefined;
  const name = withoutQuotes(word.slice(0, at));
  const value = word.slice(at + 1);
  if (word.charAt(at) === ':' && value !== '') return undefined;
  const shownName = isVariableName(name) || isHarmlessWord(name) ? word.slice(0, at) : options.hide(word.slice(0, at));
  return `${shownName}${word.charAt(at)}${showValue(value, options)}`;
}

const showValue = (value: string, options: DisplayOptions): string =>
  value === '' ? '' : (showPlain(value, options) ?? options.hide(value));

const showOrHide = (word: string, options: DisplayOptions) => showPlain(word, options) ?? options.hide(word);

/** The position of the address in `URL=https://…`. */
function innerAddress(word: string): number {
  const inner = /^[\w.-]{1,80}=["'`]?(?=[A-Za-z][A-Za-z0-9+.-]{1,20}:\/\/)/.exec(word);
  return inner === null ? 0 : inner[0].length;
}

function showPlain(word: string, options: DisplayOptions): string | undefined {
  const start = options.isStrict ? 0 : innerAddress(word);
  if (start > 0) return showOrHide(word.slice(0, start), options) + showOrHide(word.slice(start), options);
  const address = showAddressOrUser(word, options);
  if (address !== undefined) return address;
  if (!options.isStrict) return looksLikeToken(word, options.expectsIds) ? undefined : word;
  if (looksSecret(word)) return undefined;
  const bare = withoutQuotes(word);
  if (!/[A-Za-z0-9]/.test(word)) return word.length <= 3 ? word : undefined;
  const isHarmless = isHarmlessWord(bare) || isFileName(bare) || isScopedPackage(bare);
  return isHarmless && word.length - bare.length <= 2 ? word : undefined;
}
