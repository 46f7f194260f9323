import { accessSync, constants } from 'node:fs';
import { wordsIn } from '../../base/text/word-list.ts';
import { describeLocation, StoreError } from './store-error.ts';

/** `no-verify` is a mode of `pg` alone, which its own users know. */
const MODES = wordsIn('disable allow prefer require verify-ca verify-full no-verify');
const FILES = ['sslrootcert', 'sslcert', 'sslkey'];

/**
 * `pg` takes `require` and `prefer` for `verify-full` unless its address asks for the meaning that libpq, `psql` and
 * Postgres's manual give them. `allow` is `prefer`, and both need a server that offers encryption.
 *
 * @throws StoreError for parameters that libpq refuses too
 * @see https://www.postgresql.org/docs/current/libpq-ssl.html
 * @example toLibpqAddress('postgres://db/q?sslmode=require') // '…?sslmode=require&uselibpqcompat=true'
 */
export function toLibpqAddress(address: string): string {
  if (!URL.canParse(address)) return address;
  const { searchParams } = new URL(address);
  const mode = searchParams.get('sslmode');
  if (mode !== null && !MODES.has(mode))
    throw new StoreError(
      'sslmode in DATABASE_URL is none of disable, allow, prefer, require, verify-ca, verify-full: correct it.',
    );
  const authority = searchParams.get('sslrootcert');
  // libpq’s word for the authorities of the machine, which only the strictest mode may trust.
  if (authority === 'system') return withParameters(address, { sslrootcert: undefined, sslmode: 'verify-full' });
  for (const name of FILES) requireReadable(searchParams.get(name));
  if (mode === null || mode === 'no-verify' || searchParams.has('uselibpqcompat')) return address;
  if (mode === 'verify-ca' && authority === null)
    throw new StoreError(
      `sslmode=verify-ca needs an authority for ${describeLocation(address)}: name its file as sslrootcert in DATABASE_URL.`,
    );
  const parameters = { uselibpqcompat: 'true', ...(mode === 'allow' ? { sslmode: 'prefer' } : {}) };
  return withParameters(address, parameters);
}

/** Whether the connection is encrypted while nobody checks who answers. */
export function isUnverified(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { searchParams } = new URL(address);
  const mode = searchParams.get('sslmode') ?? '';
  return mode === 'no-verify' || (['allow', 'prefer', 'require'].includes(mode) && !searchParams.has('sslrootcert'));
}

function requireReadable(path: string | null): void {
  if (path === null) return;
  try {
    accessSync(path, constants.R_OK);
  } catch {
    throw new StoreError(
      `The file ${path}, which DATABASE_URL names, cannot be read: correct its name, or let the program’s user read it.`,
    );
  }
}

/** The part before the parameters stays as it is, because a password may be written in several ways. */
function withParameters(address: string, changes: Readonly<Record<string, string | undefined>>): string {
  const [before = '', ...after] = address.split('?');
  const parameters = new URLSearchParams(after.join('?'));
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) parameters.delete(name);
    else parameters.set(name, value);
  }
  return `${before}?${parameters.toString()}`;
}
