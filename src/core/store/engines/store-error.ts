import { certificateProblemOf } from '../../http/connection-fault.ts';

/** The message is one sentence for the operator that says what to do. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
}

/** Leaves out the password. */
export function describeLocation(databaseUrl: string): string {
  if (databaseUrl.startsWith('file:')) return databaseUrl.slice('file:'.length);
  if (!URL.canParse(databaseUrl)) return 'the address in DATABASE_URL';
  const { hostname, port, pathname } = new URL(databaseUrl);
  return `${pathname.slice(1) || 'postgres'} on ${hostname}${port ? `:${port}` : ''}`;
}

export function codeOf(error: unknown): string {
  if (error === null || typeof error !== 'object') return '';
  if ('errcode' in error && typeof error.errcode === 'number') return `SQLITE_${error.errcode & 0xff}`;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return '';
}

// SQLite's primary result codes: https://www.sqlite.org/rescode.html. Postgres': appendix A of its manual.
const SENTENCES: Record<string, (location: string) => string> = {
  EACCES: (location) =>
    `The folder of ${location} cannot be made or written: give the program's user write access to it.`,
  EROFS: (location) => `${location} is on a read-only file system: point DATABASE_URL at a writable volume.`,
  ENOTDIR: (location) =>
    `${location} cannot be made, because a part of its path is a file: choose another DATABASE_URL.`,
  EEXIST: (location) =>
    `${location} cannot be made, because a part of its path is a file: choose another DATABASE_URL.`,
  SQLITE_5: (location) => `${location} is locked by another program: stop that program, or wait until it is done.`,
  SQLITE_8: (location) => `${location} is read-only: give the program's user write access to the file and its folder.`,
  SQLITE_11: (location) => `${location} is damaged: restore it from a backup.`,
  SQLITE_13: (location) => `The disk of ${location} is full: make room on it.`,
  ENOSPC: (location) => `The disk of ${location} is full: make room on it.`,
  SQLITE_14: (location) =>
    `${location} cannot be opened: check that its folder exists and that the program's user may write there.`,
  SQLITE_26: (location) => `${location} is not an SQLite database: choose another DATABASE_URL.`,
  '28P01': (location) => `Postgres refused the password for ${location}: correct DATABASE_URL.`,
  '3D000': (location) => `There is no database ${location}: create it, or correct DATABASE_URL.`,
  '42501': (location) =>
    `The user in DATABASE_URL may not create tables in ${location}: grant it CREATE on the schema.`,
  ECONNREFUSED: (location) => `Nothing answers for ${location}: start Postgres, or correct DATABASE_URL.`,
  ENOTFOUND: (location) => `The host of ${location} is not known: correct DATABASE_URL.`,
  '53300': (location) =>
    `${location} has no free connection: give the user in DATABASE_URL at least 8 for each process of Quartermaster.`,
  '53100': (location) => `The disk of ${location} is full: make room on it.`,
  EIO: (location) => `${location} cannot be read or written: check its disk.`,
  SQLITE_10: (location) => `${location} cannot be read or written: check its disk.`,
  ETIMEDOUT: (location) => `${location} does not answer: check the network between here and Postgres.`,
  // Our own codes for the reasons why a certificate is refused.
  CERTIFICATE_authority: (location) =>
    `The certificate of ${location} is from an unknown authority: name its file as sslrootcert in DATABASE_URL, or in NODE_EXTRA_CA_CERTS.`,
  CERTIFICATE_dates: (location) =>
    `The certificate of ${location} is not valid today: renew it, or correct the clock of this machine.`,
  CERTIFICATE_name: (location) =>
    `The certificate of ${location} is for another name: correct the host in DATABASE_URL, or the certificate.`,
  CERTIFICATE_other: (location) => `The certificate of ${location} is refused: replace it.`,
};

/** `pg` raises it without a code. */
const NO_ENCRYPTION = 'The server does not support SSL connections';

/** Of a user, or of an address or a missing encryption by the rules of `pg_hba.conf`. */
const REFUSED = '28000';

/** Postgres has one code for all of these, and its messages may be in another language. */
function refusalSentence(message: string, location: string): string {
  if (/, (?:no encryption|SSL off)$/.test(message))
    return `Postgres takes only encrypted connections for ${location}: add ?sslmode=verify-full to DATABASE_URL, or sslmode=require without a check of its certificate.`;
  if (message.includes('pg_hba.conf'))
    return `Postgres has no rule in pg_hba.conf for this user, this machine and this encryption of ${location}: add one, or correct DATABASE_URL.`;
  return `Postgres refused the user for ${location}: correct DATABASE_URL.`;
}

/** Returns one sentence for the operator, with what to do. @example explainStoreFault(error, 'file:data/q.db') */
export function explainStoreFault(error: unknown, databaseUrl: string): string {
  if (error instanceof StoreError) return error.message;
  const location = describeLocation(databaseUrl);
  const problem = certificateProblemOf(error);
  const sentence = SENTENCES[problem === undefined ? codeOf(error) : `CERTIFICATE_${problem}`];
  if (sentence) return sentence(location);
  const message = error instanceof Error ? error.message : String(error);
  if (codeOf(error) === REFUSED) return refusalSentence(message, location);
  if (message === NO_ENCRYPTION)
    return `${location} offers no encryption: switch it on there, or set sslmode=disable in DATABASE_URL.`;
  // The time-outs of `pg` have no code.
  if (/^(Query read timeout|timeout exceeded when trying to connect|Connection terminated)/.test(message))
    return `${location} does not answer: check the network between here and Postgres.`;
  return `The database ${location} cannot be used: ${message.replaceAll(databaseUrl, location)}`;
}
