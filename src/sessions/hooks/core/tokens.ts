import { createHash, randomBytes } from 'node:crypto';
import type { HookDatabase, HookInbox, HookTransaction } from './session-tables.ts';

/** Gives 32 URL-safe characters after a prefix that secret scanners can recognize. */
const TOKEN_BYTES = 24;
export const TOKEN = /^qmh_[\w-]{32}$/;
const TEST_LIFE_MS = 60_000;

export const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

const makeToken = (): string => `qmh_${randomBytes(TOKEN_BYTES).toString('base64url')}`;

/** @returns the only copy of a new token; the owner’s earlier ones are revoked */
export async function renewToken(trx: HookTransaction, owner: string, now: Date): Promise<string> {
  const token = makeToken();
  await trx.deleteFrom('hookTokens').where('owner', '=', owner).execute();
  await insert(trx, { token, owner, now, expiresAt: null });
  await trx
    .insertInto('hookInboxes')
    .values({ owner, openedAt: now.toISOString(), quietFrom: null, quietUntil: null })
    .onConflict((conflict) => conflict.column('owner').doUpdateSet({ openedAt: now.toISOString() }))
    .execute();
  return token;
}

/** @returns a token that works for a minute, beside the owner’s own */
export async function makeTestToken(db: HookDatabase, owner: string, now: Date): Promise<string> {
  const token = makeToken();
  await insert(db, { token, owner, now, expiresAt: new Date(now.getTime() + TEST_LIFE_MS).toISOString() });
  return token;
}

async function insert(
  db: HookDatabase,
  { token, owner, now, expiresAt }: { token: string; owner: string; now: Date; expiresAt: string | null },
): Promise<void> {
  const row = { tokenHash: hashOf(token), owner, createdAt: now.toISOString(), expiresAt };
  await db.insertInto('hookTokens').values(row).execute();
}

/** @returns `false` if there was no token */
export async function revokeTokens(trx: HookTransaction, owner: string): Promise<boolean> {
  const deleted = await trx.deleteFrom('hookTokens').where('owner', '=', owner).executeTakeFirst();
  return deleted.numDeletedRows > 0n;
}

/** Returns the owners of tokens by their hashes, without revoked or expired tokens. */
export async function ownersOf(
  db: HookDatabase,
  hashes: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .selectFrom('hookTokens')
    .select(['tokenHash', 'owner'])
    .where('tokenHash', 'in', hashes)
    .where((where) => where.or([where('expiresAt', 'is', null), where('expiresAt', '>', now.toISOString())]))
    .execute();
  return new Map(rows.map(({ tokenHash: hash, owner }) => [hash, owner]));
}

export async function findInbox(db: HookDatabase, owner: string): Promise<HookInbox | undefined> {
  return db
    .selectFrom('hookInboxes')
    .selectAll()
    .where('owner', '=', owner)
    .where('owner', 'in', (select) => select.selectFrom('hookTokens').select('owner').where('expiresAt', 'is', null))
    .executeTakeFirst();
}

export async function forgetOverTokens(db: HookDatabase, now: Date): Promise<void> {
  await db.deleteFrom('hookTokens').where('expiresAt', '<=', now.toISOString()).execute();
}
