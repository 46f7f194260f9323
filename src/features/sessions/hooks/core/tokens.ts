import { createHash, randomBytes } from 'node:crypto';
import type { ExpressionBuilder } from 'kysely';
import type { HookDatabase, HookInbox, HookTables, HookTransaction } from './session-tables.ts';

/** Gives 32 URL-safe characters after a prefix that secret scanners can recognize. */
const TOKEN_BYTES = 24;
export const TOKEN = /^qmh_[\w-]{32}$/;
/** A person’s client exchanges it for a token; the platform’s analytics show commands, so it works for an hour only. */
export const SETUP_CODE = /^qms_[\w-]{32}$/;
const CODE_LIFE_MS = 3_600_000;
const TEST_LIFE_MS = 60_000;
/** One for each computer of a person. */
const MAX_TOKENS = 10;

export const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

const secret = (): string => randomBytes(TOKEN_BYTES).toString('base64url');
const makeToken = (): string => `qmh_${secret()}`;

/** @returns the only copy of a setup code; the owner’s earlier codes and tokens are revoked */
export async function renewSetupCode(trx: HookTransaction, owner: string, now: Date): Promise<string> {
  const code = `qms_${secret()}`;
  await revokeTokens(trx, owner);
  await insert(trx, { token: code, owner, now, expiresAt: new Date(now.getTime() + CODE_LIFE_MS).toISOString() });
  await trx
    .insertInto('hookInboxes')
    .values({ owner, openedAt: now.toISOString(), quietFrom: null, quietUntil: null })
    .onConflict((conflict) => conflict.column('owner').doUpdateSet({ openedAt: now.toISOString() }))
    .execute();
  return code;
}

/** @returns the only copy of a token of the code’s owner; undefined if the code is over, or its owner has enough tokens */
export async function exchangeCode(
  trx: HookTransaction,
  codeHash: string,
  now: Date,
): Promise<{ token: string; owner: string } | undefined> {
  const owner = (await ownersOf(trx, [codeHash], now)).get(codeHash);
  if (owner === undefined) return undefined;
  await lockInbox(trx, owner);
  if (!(await ownersOf(trx, [codeHash], now)).has(codeHash)) return undefined;
  const { count } = await trx
    .selectFrom('hookTokens')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('owner', '=', owner)
    .where('expiresAt', 'is', null)
    .executeTakeFirstOrThrow();
  if (Number(count) >= MAX_TOKENS) return undefined;
  const token = makeToken();
  await insert(trx, { token, owner, now, expiresAt: null });
  return { token, owner };
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

/** Without it, a token of an exchange that runs at the same time would survive its revocation. */
async function lockInbox(trx: HookTransaction, owner: string): Promise<void> {
  await trx.updateTable('hookInboxes').set({ owner }).where('owner', '=', owner).execute();
}

/** @returns `false` if there was no token */
export async function revokeTokens(trx: HookTransaction, owner: string): Promise<boolean> {
  await lockInbox(trx, owner);
  const deleted = await trx.deleteFrom('hookTokens').where('owner', '=', owner).executeTakeFirst();
  return deleted.numDeletedRows > 0n;
}

const isNotOver = (now: Date) => (where: ExpressionBuilder<HookTables, 'hookTokens'>) =>
  where.or([where('expiresAt', 'is', null), where('expiresAt', '>', now.toISOString())]);

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
    .where(isNotOver(now))
    .execute();
  return new Map(rows.map(({ tokenHash: hash, owner }) => [hash, owner]));
}

/** @returns undefined if the owner has neither a token nor a setup code that still works */
export async function findInbox(db: HookDatabase, owner: string, now: Date): Promise<HookInbox | undefined> {
  return db
    .selectFrom('hookInboxes')
    .selectAll()
    .where('owner', '=', owner)
    .where('owner', 'in', (select) => select.selectFrom('hookTokens').select('owner').where(isNotOver(now)))
    .executeTakeFirst();
}

export async function forgetOverTokens(db: HookDatabase, now: Date): Promise<void> {
  await db.deleteFrom('hookTokens').where('expiresAt', '<=', now.toISOString()).execute();
}
