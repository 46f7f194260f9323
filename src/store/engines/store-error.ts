/** The database cannot be used; the message is one sentence for the operator that says what to do. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
}

/** Returns the location of a database, without its password. */
export function describePlace(databaseUrl: string): string {
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
const SENTENCES: Record<string, (place: string) => string> = {
  EACCES: (place) => `The folder of ${place} cannot be made or written: give the program's user write access to it.`,
  EROFS: (place) => `${place} is on a read-only file system: point DATABASE_URL at a writable volume.`,
  ENOTDIR: (place) => `${place} cannot be made, because a part of its path is a file: choose another DATABASE_URL.`,
  EEXIST: (place) => `${place} cannot be made, because a part of its path is a file: choose another DATABASE_URL.`,
  SQLITE_5: (place) => `${place} is locked by another program: stop that program, or wait until it is done.`,
  SQLITE_8: (place) => `${place} is read-only: give the program's user write access to the file and its folder.`,
  SQLITE_11: (place) => `${place} is damaged: restore it from a backup.`,
  SQLITE_13: (place) => `The disk of ${place} is full: make room on it.`,
  ENOSPC: (place) => `The disk of ${place} is full: make room on it.`,
  SQLITE_14: (place) =>
    `${place} cannot be opened: check that its folder exists and that the program's user may write there.`,
  SQLITE_26: (place) => `${place} is not an SQLite database: choose another DATABASE_URL.`,
  '28P01': (place) => `Postgres refused the password for ${place}: correct DATABASE_URL.`,
  '28000': (place) => `Postgres refused the user for ${place}: correct DATABASE_URL.`,
  '3D000': (place) => `There is no database ${place}: create it, or correct DATABASE_URL.`,
  '42501': (place) => `The user in DATABASE_URL may not create tables in ${place}: grant it CREATE on the schema.`,
  ECONNREFUSED: (place) => `Nothing answers for ${place}: start Postgres, or correct DATABASE_URL.`,
  ENOTFOUND: (place) => `The host of ${place} is not known: correct DATABASE_URL.`,
  '53300': (place) =>
    `${place} takes no more connections: give the user in DATABASE_URL at least 8 for each process of Quartermaster.`,
  '53100': (place) => `The disk of ${place} is full: make room on it.`,
  EIO: (place) => `${place} cannot be read or written: check its disk.`,
  SQLITE_10: (place) => `${place} cannot be read or written: check its disk.`,
  ETIMEDOUT: (place) => `${place} does not answer: check the network between here and Postgres.`,
};

/**
 * Explains a fault of the database to the operator in one sentence, with what to do.
 *
 * @example explainStoreFault(error, 'file:data/quartermaster.db')
 */
export function explainStoreFault(error: unknown, databaseUrl: string): string {
  const place = describePlace(databaseUrl);
  const sentence = SENTENCES[codeOf(error)];
  if (sentence) return sentence(place);
  const message = error instanceof Error ? error.message : String(error);
  // The time-outs of `pg` have no code.
  if (/^(Query read timeout|timeout exceeded when trying to connect|Connection terminated)/.test(message))
    return `${place} does not answer: check the network between here and Postgres.`;
  return `The database ${place} cannot be used: ${message.replaceAll(databaseUrl, place)}`;
}
