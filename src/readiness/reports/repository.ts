import { withoutTrailing } from '../../base/text/trailing.ts';

export interface Repository {
  /** The same for every spelling of the address. */
  key: string;
  label: string;
  /** Without possible secrets; undefined if the address is not a web address. */
  url: string | undefined;
}

const MAX_ADDRESS_LENGTH = 2_048;
const SCP_LIKE = /^[\w.-]+@([\w.-]+):(.+)$/;

/**
 * Addresses may carry credentials, and one repository may be written as `git@host:acme/web.git` and
 * `https://host/acme/web/`.
 * @example readRepository('https://me:token@git.acme.example/Acme/Web.git').label // 'Acme/Web'
 */
export function readRepository(repoUrl: string): Repository {
  const trimmed = repoUrl.slice(0, MAX_ADDRESS_LENGTH).trim();
  const scp = SCP_LIKE.exec(trimmed);
  const address = scp ? `ssh://${scp[1]}/${scp[2]}` : trimmed;
  if (!URL.canParse(address)) return { key: trimmed.toLowerCase(), label: trimmed || 'unnamed', url: undefined };
  const { protocol, host, pathname } = new URL(address);
  const path = withoutTrailing(pathname, '/')
    .replace(/\.git$/i, '')
    .replace(/^\/+/, '');
  const label = path.split('/').slice(-2).join('/') || host;
  const isWeb = protocol === 'https:' || protocol === 'http:';
  return {
    key: `${host}/${path}`.toLowerCase(),
    label: decoded(label),
    url: isWeb ? `${protocol}//${host}/${path}` : undefined,
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
