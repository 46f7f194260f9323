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
  await trx.deleteFrom('hook_tokens').where('owner', '=', owner).execute();
  await insert(trx, { token, owner, now, expiresAt: null });
  await trx
    .insertInto('hook_inboxes')
    .values({ owner, opened_at: now.toISOString(), quiet_from: null, quiet_until: null })
    .onConflict((conflict) => conflict.column('owner').doUpdateSet({ opened_at: now.toISOString() }))
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
  const row = { token_hash: hashOf(token), owner, created_at: now.toISOString(), expires_at: expiresAt };
  await db.insertInto('hook_tokens').values(row).execute();
}

/** @returns `false` if there was no token */
export async function revokeTokens(trx: HookTransaction, owner: string): Promise<boolean> {
  const deleted = await trx.deleteFrom('hook_tokens').where('owner', '=', owner).executeTakeFirst();
  return deleted.numDeletedRows > 0n;
}

/** Returns the owners of tokens by their hashes, without revoked or expired tokens. */
export async function ownersOf(
  db: HookDatabase,
  hashes: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .selectFrom('hook_tokens')
    .select(['token_hash', 'owner'])
    .where('token_hash', 'in', hashes)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', now.toISOString())]))
    .execute();
  return new Map(rows.map(({ token_hash: hash, owner }) => [hash, owner]));
}

export async function findInbox(db: HookDatabase, owner: string): Promise<HookInbox | undefined> {
  return db
    .selectFrom('hook_inboxes')
    .selectAll()
    .where('owner', '=', owner)
    .where('owner', 'in', (select) => select.selectFrom('hook_tokens').select('owner').where('expires_at', 'is', null))
    .executeTakeFirst();
}

export async function forgetOverTokens(db: HookDatabase, now: Date): Promise<void> {
  await db.deleteFrom('hook_tokens').where('expires_at', '<=', now.toISOString()).execute();
}
