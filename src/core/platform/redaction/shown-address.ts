import { isAction, isAddressPart, isHarmlessWord } from './harmless.ts';
import { looksSecret } from './secret-patterns.ts';

export type Hide = (part: string) => string;

interface DisplayOptions {
  hide: Hide;
  /** For configurations: everything that is not known to be harmless is hidden. */
  isStrict: boolean;
}

/** A name of at least two parts without a port, which hardly any password looks like. */
const FULL_HOST = /^(?:[\w-]{1,63}\.){1,8}[a-z]{2,20}$/i;

/** @returns undefined if the word is no address and contains no name and password */
export const showAddressOrUser = (word: string, options: DisplayOptions): string | undefined =>
  showAddress(word, options) ?? showBareAddress(word, options) ?? showUserInfo(word, options);

/** `https://name:password@host:80/path?name=value#part` */
function showAddress(word: string, { hide, isStrict }: DisplayOptions): string | undefined {
  const [, before = '', scheme = '', all = ''] =
    /^(\W{0,3}(?:[a-z]{2,12}:)?)([A-Za-z][A-Za-z0-9+.-]{1,20}:\/\/)(.*)$/s.exec(word) ?? [];
  if (scheme === '') return undefined;
  // Marks after an address, such as a closing quote, are no part of it.
  const after = /["'`)\]},;]{1,3}$/.exec(all)?.[0] ?? '';
  const rest = all.slice(0, all.length - after.length);
  const end = rest.search(/[/?#;]/);
  // A password may contain a slash: everything before the last `@` of the word counts as name and password.
  // A path may contain one only after a full host.
  const authority = end < 0 ? rest : rest.slice(0, end);
  const userEnd = FULL_HOST.test(authority) ? -1 : rest.lastIndexOf('@');
  // Whether the password or a parameter contains the `@` is unknown, and so is what follows it.
  if (/[?;]/.test(rest.slice(0, Math.max(userEnd, 0)))) return `${before}${scheme}${hide(rest)}${after}`;
  const hostStart = userEnd + 1;
  const user = userEnd < 0 ? '' : `${hide(rest.slice(0, userEnd))}@`;
  const hostEnd = userEnd < 0 ? end : rest.slice(hostStart).search(/[/?#;]/);
  const host = hostEnd < 0 ? rest.slice(hostStart) : rest.slice(hostStart, hostStart + hostEnd);
  const path = hostEnd < 0 ? '' : rest.slice(hostStart + hostEnd);
  const isHost = /^[A-Za-z0-9*.[\]:_-]{0,255}$/.test(host) && !looksSecret(host);
  return `${before}${scheme}${user}${isHost ? host : hide(host)}${showPath(path, host, { hide, isStrict })}${after}`;
}

/** `api.telegram.org/bot123:abc/sendMessage` */
function showBareAddress(word: string, options: DisplayOptions): string | undefined {
  const [, before = '', host = '', path = ''] =
    /^(["'`]?)((?:[\w-]{1,63}\.){1,8}[a-z]{2,20})([/?].*)$/is.exec(word) ?? [];
  if (host === '' || (secretSegment(host, path.split('/')) === undefined && !path.includes('?'))) return undefined;
  return `${before}${host}${showPath(path, host, options)}`;
}

/** Names of the part before a secret: `/key/abc`. */
const SECRET_SEGMENT =
  /^(?:(?:api|access|auth|secret)?[-_]?(?:key|token)|secret|password|passwd|apikey|webhook(?:s|b2)?|hooks?)$/i;
const IS_WEBHOOK = /^(?:webhook(?:s|b2)?|hooks?)$/i;
/** Parts of these addresses are names of repositories and numbers of hooks. */
const CODE_HOST = /(?:^|\.)git(?:hub|lab)\./i;
const WEBHOOK_HOST = /^(?:hooks|webhooks?|[\w.-]{1,80}\.webhook)\.[\w.-]{1,80}$/i;

/** The index of the first secret part of a path. */
function secretSegment(host: string, segments: readonly string[]): number | undefined {
  const last = segments.length - 1;
  const index = segments.findIndex((segment, at) => {
    if (/^bot\d{3,}(?::|%3a)/i.test(segment)) return true;
    const before = segments[at - 1] ?? '';
    if (segment === '' || isAction(segment) || isHarmlessWord(segment) || isAddressPart(segment)) return false;
    if (WEBHOOK_HOST.test(host)) return at > 1 || last === 1;
    const isWebhook = segments.slice(0, at).some((one) => IS_WEBHOOK.test(one)) && !CODE_HOST.test(host);
    return isWebhook || (SECRET_SEGMENT.test(before) && !/^(?:webhook|hook)/i.test(before));
  });
  return index < 0 ? undefined : index;
}

function showPath(text: string, host: string, { hide, isStrict }: DisplayOptions): string {
  const end = text.search(/[?#]/);
  const path = end < 0 ? text : text.slice(0, end);
  const segments = path.split('/');
  const parameters = path.indexOf(';');
  if (!isStrict && parameters >= 0)
    return showPath(path.slice(0, parameters), host, { hide, isStrict }) + hide(text.slice(parameters));
  const secret = isStrict ? undefined : secretSegment(host, segments);
  if (secret !== undefined)
    return `${segments.slice(0, secret).join('/')}/${hide(segments.slice(secret).join('/') + text.slice(path.length))}`;
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

/** `npm:name@version`, `mailto:ada@acme.example` */
const HARMLESS_PREFIX =
  /^["'`]?(?:mailto|npm|jsr|workspace|catalog|link|file|github|gitlab|pkg|purl|arn|docker|oci|git@[\w.-]{1,80}):/;

/** `root:password@tcp(db)`: a name and a password without a scheme. */
function showUserInfo(word: string, { hide, isStrict }: DisplayOptions): string | undefined {
  const at = word.lastIndexOf('@');
  const colon = word.indexOf(':');
  if (colon <= 0 || at < colon || HARMLESS_PREFIX.test(word) || /^@sha(?:256|512):/.test(word.slice(at)))
    return undefined;
  const rest = word.slice(at + 1);
  const isRestShown = isStrict ? /^(?:tcp|unix)?\(?[a-z.-]{0,60}(?::\d{1,5})?\)?$/.test(rest) : !looksSecret(rest);
  return `${hide(word.slice(0, at))}@${isRestShown ? rest : hide(rest)}`;
}
