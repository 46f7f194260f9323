import { looksSecret } from '../../../core/platform/redaction/secret-patterns.ts';

export interface Repository {
  /** The same for every spelling of the address. */
  key: string;
  /** The last two parts of its name; among others, as many as tell it from them. */
  label: string;
  /** With its host and in its own case, without possible secrets. */
  fullName: string;
  /** Without possible secrets; undefined if the address is not a web address. */
  url: string | undefined;
}

const MAX_ADDRESS_LENGTH = 2_048;
const SCHEME = /^([a-z][a-z0-9+.-]{0,20}):\/+/i;
/** A name of at least two parts, or an address of IPv6, each with a port; a password is hardly ever one. */
const FULL_HOST = /^(?:[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/iu;
const USUAL_PORTS: Readonly<Record<string, string>> = { https: ':443', http: ':80' };
const HIDDEN = '…';
const USUAL_PARTS = 2;

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
  const isSsh = scheme.includes('ssh') || (scheme === '' && /^git@/i.test(text));
  const { host, path } = splitAddress(address, scheme, isSsh);
  const segments = path.split('/').filter((segment) => segment !== '');
  const place = asAzureDevOps(host, segments);
  const shown = place.segments.map((segment) => (looksSecret(segment, true) ? HIDDEN : segment));
  const fullName = [place.host, ...shown].filter(Boolean).join('/');
  const isWeb = (scheme === 'https' || scheme === 'http') && !shown.includes(HIDDEN);
  return {
    key: fullName.toLowerCase(),
    label: shown.slice(-USUAL_PARTS).join('/') || place.host || 'unnamed',
    fullName,
    url: isWeb ? webAddress(`${scheme}://${host}/${segments.map(encodeURIComponent).join('/')}`) : undefined,
  };
}

const SSH_OF_AZURE = /^(?:vs-)?ssh\.(?:dev\.azure|visualstudio)\.com$/i;
const OLD_AZURE = /^([a-z0-9-]+)\.visualstudio\.com$/i;
const COLLECTION = /^DefaultCollection$/i;

/**
 * One repository of Azure DevOps has an address with `_git`, another one for ssh with `v3`, and both again under the
 * former name of the host. A repository with the name of its project may be written without the project.
 *
 * @see https://learn.microsoft.com/en-us/azure/devops/repos/git/use-ssh-keys-to-authenticate
 */
function asAzureDevOps(host: string, segments: readonly string[]): { host: string; segments: readonly string[] } {
  const [first = '', ...rest] = segments;
  if (SSH_OF_AZURE.test(host) && first === 'v3') return { host: AZURE, segments: rest };
  const organization = OLD_AZURE.exec(host)?.[1];
  const path = organization === undefined ? segments : COLLECTION.test(first) ? rest : segments;
  const all = organization === undefined ? path : [organization, ...path];
  const place = { host: organization === undefined ? host : AZURE, segments: all };
  const marked = all.length - 2;
  const repository = all.at(-1);
  if (repository === undefined || !/^_(?:git|ssh)$/.test(all[marked] ?? '')) return place;
  const hasProject =
    marked > 1 ? !COLLECTION.test(all[marked - 1] ?? '') : marked === 1 && !/^dev\.azure\.com$/i.test(place.host);
  return { ...place, segments: [...all.slice(0, marked), ...(hasProject ? [] : [repository]), repository] };
}

const AZURE = 'dev.azure.com';

/** The fewest last parts of the name that tell each repository from the others, at least two. Pure. */
export function withUniqueLabels(repositories: readonly Repository[]): Repository[] {
  const names = repositories.map(({ fullName }) => fullName.split('/'));
  const tails = new Map<string, number>();
  for (const name of names)
    for (let parts = 1; parts <= name.length; parts += 1) {
      const tail = tailOf(name, parts);
      tails.set(tail, (tails.get(tail) ?? 0) + 1);
    }
  return repositories.map((repository, index) => {
    const name = names[index] ?? [];
    let parts = repository.label.split('/').length;
    if (tails.get(tailOf(name, parts)) === 1) return repository;
    while (parts < name.length && (tails.get(tailOf(name, parts)) ?? 0) > 1) parts += 1;
    return { ...repository, label: name.slice(-parts).join('/') || repository.label };
  });
}

const tailOf = (name: readonly string[], parts: number) => name.slice(-parts).join('/').toLowerCase();

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
function splitAddress(address: string, scheme: string, isSsh: boolean): { host: string; path: string } {
  const [, name = '', port = '', rest = ''] =
    /^([^/:\s]*|\[[^\]/\s]*\])(:\d{1,5}(?=\/|$))?[:/]?(.*)$/s.exec(address) ?? [];
  const isHost = scheme !== '' || /^[^/\s]+:(?!\d)/.test(address) || FULL_HOST.test(name);
  const path = withoutEnding(isHost ? rest : address);
  if (!isHost) return { host: '', path };
  const isUsual = port === USUAL_PORTS[scheme] || isSsh;
  return { host: `${name}${isUsual ? '' : port}`, path };
}

const withoutEnding = (path: string) => path.replace(/\/{1,100}$/, '').replace(/\.git$/i, '');

const webAddress = (address: string): string | undefined => (URL.canParse(address) ? address : undefined);

/** Decodes each run of escapes alone: an invalid one elsewhere must not keep an `@` of credentials escaped. */
const decoded = (text: string): string =>
  text.replaceAll(/(?:%[0-9a-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'));
