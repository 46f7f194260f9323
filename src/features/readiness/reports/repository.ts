import { looksSecret } from '../../../core/platform/redaction/secret-patterns.ts';

export interface Repository {
  /** The same for every spelling of the address. */
  key: string;
  label: string;
  /** Without possible secrets; undefined if the address is not a web address. */
  url: string | undefined;
}

const MAX_ADDRESS_LENGTH = 2_048;
const SCHEME = /^([a-z][a-z0-9+.-]{0,20}):\/+/i;
/** A name of at least two parts, or an address of IPv6, each with a port; a password is hardly ever one. */
const FULL_HOST = /^(?:[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/iu;
const USUAL_PORTS: Readonly<Record<string, string>> = { https: ':443', http: ':80' };
const HIDDEN = '…';

/**
 * Addresses may carry credentials, and one repository may be written as `git@host:acme/web.git` and
 * `https://host/acme/web/`. Each text is read in one way, whether or not it is a valid address, so that no part of an
 * invalid one is shown that would be left out of a valid one.
 *
 * @example readRepository('https://me:to#ken@git.acme.example/Acme/Web.git').label // 'Acme/Web'
 */
export function readRepository(repoUrl: string): Repository {
  const text = decoded(repoUrl.slice(0, MAX_ADDRESS_LENGTH))
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, '')
    .trim();
  const scheme = SCHEME.exec(text)?.[1]?.toLowerCase() ?? '';
  const address = withoutCredentials(text.replace(SCHEME, '')).replace(/[?#].*$/s, '');
  const { host, path } = splitAddress(address, scheme);
  const segments = path.split('/').filter((segment) => segment !== '');
  const name = segments.map((segment) => (looksSecret(segment, true) ? HIDDEN : segment)).join('/');
  const isWeb = (scheme === 'https' || scheme === 'http') && !name.includes(HIDDEN);
  return {
    key: [host, name].filter(Boolean).join('/').toLowerCase(),
    label: name.split('/').slice(-2).join('/') || host || 'unnamed',
    url: isWeb ? webAddress(`${scheme}://${host}/${segments.map(encodeURIComponent).join('/')}`) : undefined,
  };
}

/**
 * Cuts everything up to the last `@` of the address, since a password may contain any sign, also a slash or another
 * `@`. An `@` in a path is only kept after a full host without credentials, and after the user `git`.
 */
function withoutCredentials(address: string): string {
  const [authority = ''] = address.split('/', 1);
  const plain = authority.replace(/^git@/i, '');
  const [host = ''] = plain.split(':', 1);
  if (!plain.includes('@') && (FULL_HOST.test(host) || plain !== authority)) return address.replace(/^git@/i, '');
  return address.slice(address.lastIndexOf('@') + 1);
}

/** `host:8443/acme/web`, and `host:acme/web` as ssh takes it. A text without a host, such as a folder, is all path. */
function splitAddress(address: string, scheme: string): { host: string; path: string } {
  const [, name = '', port = '', rest = ''] =
    /^([^/:\s]*|\[[^\]/\s]*\])(:\d{1,5}(?=\/|$))?[:/]?(.*)$/s.exec(address) ?? [];
  const isHost = scheme !== '' || /^[^/\s]+:(?!\d)/.test(address) || FULL_HOST.test(name);
  const path = withoutEnding(isHost ? rest : address);
  if (!isHost) return { host: '', path };
  const isUsual = port === USUAL_PORTS[scheme] || scheme.includes('ssh');
  return { host: `${name}${isUsual ? '' : port}`, path };
}

const withoutEnding = (path: string) => path.replace(/\/{1,100}$/, '').replace(/\.git$/i, '');

const webAddress = (address: string): string | undefined => (URL.canParse(address) ? address : undefined);

/** Decodes each run of escapes alone: an invalid one elsewhere must not keep an `@` of credentials escaped. */
const decoded = (text: string): string =>
  text.replaceAll(/(?:%[0-9a-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'));
