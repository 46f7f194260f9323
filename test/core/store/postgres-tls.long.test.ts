import { sql } from 'kysely';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../../src/core/store/database.ts';
import { StoreError } from '../../../src/core/store/engines/store-error.ts';
import { readStore } from '../../../src/programs/doctor/examine-store.ts';
import { createAuthority, trust, type Authority } from '../../support/network/certificates.ts';
import { findPostgres, startPostgresServer, type PostgresServer } from '../../support/stores/postgres-server.ts';

const programs = findPostgres();
let authority: Authority;
let encrypted: PostgresServer;
let plain: PostgresServer;
let old: PostgresServer;

beforeAll(async () => {
  if (programs === undefined) return;
  authority = createAuthority();
  encrypted = await startPostgresServer(programs, { tls: authority.issue(['127.0.0.1']) });
  old = await startPostgresServer(programs, { tls: authority.issue(['127.0.0.1'], 'expired') });
  plain = await startPostgresServer(programs);
});
afterAll(async () => {
  if (programs === undefined) return;
  for (const server of [encrypted, old, plain]) await server.stop();
  authority.remove();
});

/** How the bot and the doctor open the database at an address: `opened`, or their sentence, which must be the same. */
async function outcomeOf(address: string): Promise<string> {
  const store = await openStore(address).catch((error: unknown) => {
    if (error instanceof StoreError) return error.message;
    throw error;
  });
  if (typeof store !== 'string') {
    onTestFinished(() => store.close());
    await sql`select 1`.execute(store.db);
  }
  const reading = await readStore(address, new Date());
  const ofDoctor = reading.kind === 'broken' ? reading.sentence : 'opened';
  expect(typeof store === 'string' ? store : 'opened').toBe(ofDoctor);
  return ofDoctor.replace(/127\.0\.0\.1:\d+|localhost:\d+/, 'HOST');
}

const onServerWithTls = (parameters: string) => encrypted.url + parameters.replace('CA', authority.file);
const asLocalhost = (address: string) => address.replace('127.0.0.1', 'localhost');

const WANTS_TLS =
  'Postgres takes only encrypted connections for postgres on HOST: add ?sslmode=verify-full to DATABASE_URL, or sslmode=require without a check of its certificate.';
const UNKNOWN_AUTHORITY =
  'The certificate of postgres on HOST is from an unknown authority: name its file as sslrootcert in DATABASE_URL, or in NODE_EXTRA_CA_CERTS.';

// The modes of https://www.postgresql.org/docs/current/libpq-ssl.html
test.runIf(programs).each([
  ['', WANTS_TLS],
  ['?sslmode=disable', WANTS_TLS],
  ['?sslmode=prefer', 'opened'],
  ['?sslmode=require', 'opened'],
  ['?sslmode=require&sslrootcert=CA', 'opened'],
  ['?sslmode=verify-ca&sslrootcert=CA', 'opened'],
  ['?sslmode=verify-full&sslrootcert=CA', 'opened'],
  ['?sslmode=verify-full', UNKNOWN_AUTHORITY],
  ['?sslrootcert=CA', 'opened'],
  ['?sslmode=verify-full&sslrootcert=system', UNKNOWN_AUTHORITY],
  ['?sslmode=no-verify', 'opened'],
  ['?ssl=true', UNKNOWN_AUTHORITY],
  [
    '?sslmode=verify-ca',
    'sslmode=verify-ca needs an authority for postgres on HOST: name its file as sslrootcert in DATABASE_URL.',
  ],
  [
    '?sslmode=verify-full&sslrootcert=/nowhere/ca.pem',
    'The file /nowhere/ca.pem, which DATABASE_URL names, cannot be read: correct its name, or let the program’s user read it.',
  ],
  [
    '?sslmode=sometimes',
    'sslmode in DATABASE_URL is none of disable, allow, prefer, require, verify-ca, verify-full: correct it.',
  ],
])('an address that ends in “%s” opens a server with TLS as libpq does', async (parameters, outcome) => {
  expect(await outcomeOf(onServerWithTls(parameters))).toBe(outcome);
});

test.runIf(programs).each([
  [
    '?sslmode=verify-full&sslrootcert=CA',
    'The certificate of postgres on HOST is for another name: correct the host in DATABASE_URL, or the certificate.',
  ],
  ['?sslmode=verify-ca&sslrootcert=CA', 'opened'],
  ['?sslmode=require&sslrootcert=CA', 'opened'],
])('an address with another name that ends in “%s”', async (parameters, outcome) => {
  expect(await outcomeOf(asLocalhost(onServerWithTls(parameters)))).toBe(outcome);
});

test.runIf(programs)('the authorities of NODE_EXTRA_CA_CERTS hold for Postgres too', async () => {
  trust(authority);
  expect(await outcomeOf(onServerWithTls('?sslmode=verify-full'))).toBe('opened');
});

test.runIf(programs)('a certificate that has expired is named', async () => {
  expect(await outcomeOf(`${old.url}?sslmode=verify-full&sslrootcert=${authority.file}`)).toBe(
    'The certificate of postgres on HOST is not valid today: renew it, or correct the clock of this machine.',
  );
});

test.runIf(programs).each([
  ['', 'opened'],
  ['?sslmode=disable', 'opened'],
  [
    '?sslmode=require',
    'postgres on HOST offers no encryption: switch it on there, or set sslmode=disable in DATABASE_URL.',
  ],
  [
    '?sslmode=verify-full',
    'postgres on HOST offers no encryption: switch it on there, or set sslmode=disable in DATABASE_URL.',
  ],
])('an address that ends in “%s” on a server without TLS', async (parameters, outcome) => {
  expect(await outcomeOf(plain.url + parameters)).toBe(outcome);
});
