import {
  isAddressPart,
  isFileName,
  isHarmlessWord,
  isOptionName,
  isScopedPackage,
  isVariableName,
} from './harmless.ts';
import { looksSecret } from './secret-patterns.ts';
import { isSecretName } from './secret-names.ts';

export type Hide = (part: string) => string;

export interface ReadingState {
  isValueNext: boolean;
  /** The value extends to the end of this quote. */
  quote: string;
}

export const startReading = (): ReadingState => ({ isValueNext: false, quote: '' });

interface DisplayOptions {
  hide: Hide;
  reading: ReadingState;
  /** For configurations: everything that is not known to be harmless is hidden. */
  isStrict: boolean;
}

/** No command has more words, and each takes time. */
const MAX_PARTS = 500;

/**
 * @example
 * showText('curl --token abc', { hide: () => '‹hidden›', reading: startReading(), isStrict: false }) // 'curl --token
 * ‹hidden›'
 */
export function showText(text: string, options: DisplayOptions): string {
  const parts = text.split(/(\s+)/);
  if (parts.length > MAX_PARTS) return options.hide(text);
  const visibleParts: string[] = [];
  let hidden: string[] = [];
  const flush = () => {
    if (hidden.length > 0) visibleParts.push(options.hide(hidden.join('')));
    hidden = [];
  };
  // Words alternate with the characters between them.
  for (const [index, part] of parts.entries()) {
    if (part === '') continue;
    if (index % 2 === 1) {
      if (hidden.length > 0) hidden.push(part);
      else visibleParts.push(part);
      continue;
    }
    const word = showWord(part, options);
    if (word === undefined) hidden.push(part);
    else {
      const gap = hidden.length > 1 && /^\s+$/.test(hidden.at(-1) ?? '') ? hidden.pop() : undefined;
      flush();
      visibleParts.push(...(gap === undefined ? [] : [gap]), word);
    }
  }
  flush();
  return visibleParts.join('');
}

/** @returns undefined if the whole word is hidden */
function showWord(word: string, options: DisplayOptions): string | undefined {
  const { reading } = options;
  if (reading.quote !== '') {
    if (word.includes(reading.quote)) reading.quote = '';
    return undefined;
  }
  if (reading.isValueNext && !/^[=:]$/.test(word)) {
    reading.isValueNext = false;
    reading.quote = openQuote(word);
    return undefined;
  }
  if (/^(?:bearer|basic)$/i.test(withoutQuotes(word))) reading.isValueNext = true;
  return showOption(word, options) ?? showAssignment(word, options) ?? showPlain(word, options);
}

const openQuote = (word: string) =>
  /^["'`]/.test(word) && !word.slice(1).includes(word.charAt(0)) ? word.charAt(0) : '';

const withoutQuotes = (word: string) => word.replace(/^["'`([{]{1,3}/, '').replace(/["'`)\]},;]{1,3}$/, '');

/** Options whose value contains names and passwords. */
const CREDENTIAL_OPTIONS = new Set(['-u', '--user', '-H', '--header', '--proxy-user']);

/** `--token`, `--token=abc`, `-pWinter2026` */
function showOption(word: string, options: DisplayOptions): string | undefined {
  const [, option = '', sign = '', value = ''] = /^(--?[A-Za-z][\w-]*)(?:([=:])(.*))?$/s.exec(word) ?? [];
  if (option === '') return undefined;
  const isSecret = isSecretName(option) || CREDENTIAL_OPTIONS.has(option);
  if (sign === '') {
    if (isSecret) options.reading.isValueNext = true;
    if (isOptionName(option) && !looksSecret(option)) return option;
    const isJoined = /^-[a-z]\D*\d/.test(word) && word.length > 6 && (word.match(/[A-Za-z]/g)?.length ?? 0) > 4;
    if (isJoined || (options.isStrict && !word.startsWith('--')))
      return option.slice(0, 2) + options.hide(option.slice(2));
    return showPlain(word, options);
  }
  const name = isOptionName(option) || !options.isStrict ? option : options.hide(option);
  return `${name}${sign}${showValue(value, isSecret, options)}`;
}

/** `DB_PASS=abc`, `"token":"abc"`, `token:` */
function showAssignment(word: string, options: DisplayOptions): string | undefined {
  const at = word.search(/[=:]/);
  if (at <= 0 || word.startsWith('://', at) || word.includes('?')) return undefined;
  const name = withoutQuotes(word.slice(0, at));
  const value = word.slice(at + 1);
  const isSecret = isSecretName(name.slice(-60));
  if (!isSecret && !(options.isStrict && word.charAt(at) === '=')) return undefined;
  const shownName = isVariableName(name) || !options.isStrict ? word.slice(0, at) : options.hide(word.slice(0, at));
  if (value !== '') return `${shownName}${word.charAt(at)}${showValue(value, isSecret, options)}`;
  options.reading.isValueNext = isSecret;
  return shownName + word.charAt(at);
}

function showValue(value: string, isSecret: boolean, options: DisplayOptions): string {
  if (value === '') {
    options.reading.isValueNext = isSecret;
    return '';
  }
  if (!isSecret) return showPlain(value, options) ?? options.hide(value);
  options.reading.quote = openQuote(value);
  return options.hide(value);
}

function showPlain(word: string, options: DisplayOptions): string | undefined {
  const address = showAddress(word, options) ?? showUserInfo(word, options);
  if (address !== undefined) return address;
  if (looksSecret(word)) return undefined;
  if (!options.isStrict) return word;
  const bare = withoutQuotes(word);
  if (!/[A-Za-z0-9]/.test(word)) return word.length <= 3 ? word : undefined;
  const isHarmless = isHarmlessWord(bare) || isFileName(bare) || isScopedPackage(bare);
  return isHarmless && word.length - bare.length <= 2 ? word : undefined;
}

/** `https://name:password@host:80/path?name=value#part` */
function showAddress(word: string, { hide, isStrict }: DisplayOptions): string | undefined {
  const [, before = '', scheme = '', rest = ''] =
    /^([^A-Za-z]{0,3})([A-Za-z][A-Za-z0-9+.-]{1,20}:\/\/)(.*)$/s.exec(word) ?? [];
  if (scheme === '') return undefined;
  const end = rest.search(/[/?#]/);
  // A password may contain a slash: everything before the last `@` of the word counts as name and password.
  const userEnd = rest.lastIndexOf('@');
  const hostStart = userEnd + 1;
  const user = userEnd < 0 ? '' : `${hide(rest.slice(0, userEnd))}@`;
  const hostEnd = userEnd < 0 ? end : rest.slice(hostStart).search(/[/?#]/);
  const host = hostEnd < 0 ? rest.slice(hostStart) : rest.slice(hostStart, hostStart + hostEnd);
  const path = hostEnd < 0 ? '' : rest.slice(hostStart + hostEnd);
  const isHost = /^[A-Za-z0-9*.[\]:_-]{0,255}$/.test(host) && !looksSecret(host);
  return `${before}${scheme}${user}${isHost ? host : hide(host)}${showPath(path, { hide, isStrict })}`;
}

function showPath(text: string, { hide, isStrict }: Pick<DisplayOptions, 'hide' | 'isStrict'>): string {
  const end = text.search(/[?#]/);
  const path = end < 0 ? text : text.slice(0, end);
  const isShown = isStrict ? path.split('/').every((part) => part === '' || isAddressPart(part)) : !looksSecret(path);
  const shownPath = path === '' || isShown ? path : `/${hide(path.slice(1))}`;
  if (end < 0) return shownPath;
  const [query = '', fragment] = text.slice(end).replace(/^\?/, '').split('#', 2);
  const pairs =
    query === ''
      ? ''
      : `?${query
          .split('&')
          .map((pair) => showPair(pair, hide))
          .join('&')}`;
  return `${shownPath}${pairs}${fragment ? `#${hide(fragment)}` : ''}`;
}

/** Hides every value of a query: its name may not reveal that it is secret. */
function showPair(pair: string, hide: Hide): string {
  const at = pair.indexOf('=');
  const name = at < 0 ? '' : pair.slice(0, at);
  if (at < 0 || !/^[A-Za-z][A-Za-z_.-]{0,39}$/.test(name) || looksSecret(name)) return pair === '' ? '' : hide(pair);
  return at + 1 === pair.length ? pair : `${name}=${hide(pair.slice(at + 1))}`;
}

/** `root:password@tcp(db)`: a name and a password without a scheme. */
function showUserInfo(word: string, { hide, isStrict }: DisplayOptions): string | undefined {
  const at = word.lastIndexOf('@');
  const colon = word.indexOf(':');
  if (colon <= 0 || at < colon || word.startsWith('mailto:') || /^@sha(?:256|512):/.test(word.slice(at)))
    return undefined;
  const rest = word.slice(at + 1);
  const isRestShown = isStrict ? /^(?:tcp|unix)?\(?[a-z.-]{0,60}(?::\d{1,5})?\)?$/.test(rest) : !looksSecret(rest);
  return `${hide(word.slice(0, at))}@${isRestShown ? rest : hide(rest)}`;
}
