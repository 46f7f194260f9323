import { createHash, randomBytes } from 'node:crypto';
import { dayOf } from '../../../core/base/time/calendar.ts';
import { DAY_MS } from '../../../core/base/time/durations.ts';
import { audit } from '../../../core/store/audit.ts';
import type { AskDatabase, PersonalToken } from '../ask-tables.ts';

/** Gives 32 URL-safe characters after a prefix that secret scanners can recognize. */
const TOKEN_BYTES = 24;
export const TOKEN = /^qmt_[\w-]{32}$/;
export const TOKEN_DAYS = 90;

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

/** @returns the only copy of a new token; the owner’s earlier one is revoked */
export async function renewToken(db: AskDatabase, owner: string, now: Date): Promise<string> {
  const token = `qmt_${randomBytes(TOKEN_BYTES).toString('base64url')}`;
  const row = {
    tokenHash: hashOf(token),
    createdAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + TOKEN_DAYS * DAY_MS).toISOString(),
    lastUsedOn: null,
  };
  await db.transaction().execute(async (trx) => {
    await trx
      .insertInto('mcpTokens')
      .values({ owner, ...row })
      .onConflict((conflict) => conflict.column('owner').doUpdateSet(row))
      .execute();
    await audit(trx, { about: tokenOf(owner), actor: owner, action: 'made a token', detail: null }, now);
  });
  return token;
}

const tokenOf = (owner: string) => `mcp-token:${owner}`;

/** @param by the owner, or the admin who revokes it @returns `false` if there was none */
export async function revokeToken(db: AskDatabase, owner: string, by: string, now: Date): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const deleted = await trx.deleteFrom('mcpTokens').where('owner', '=', owner).executeTakeFirst();
    if (deleted.numDeletedRows === 0n) return false;
    await audit(trx, { about: tokenOf(owner), actor: by, action: 'revoked the token', detail: null }, now);
    return true;
  });
}

export async function findToken(db: AskDatabase, owner: string, now: Date): Promise<PersonalToken | undefined> {
  return db
    .selectFrom('mcpTokens')
    .selectAll()
    .where('owner', '=', owner)
    .where('expiresAt', '>', now.toISOString())
    .executeTakeFirst();
}

/** Newest first. */
export async function listTokens(db: AskDatabase, now: Date): Promise<PersonalToken[]> {
  return db
    .selectFrom('mcpTokens')
    .selectAll()
    .where('expiresAt', '>', now.toISOString())
    .orderBy('createdAt', 'desc')
    .orderBy('owner')
    .execute();
}

/** Returns the owner of a token that has not ended, and records the day of its use. */
export async function ownerOfToken(db: AskDatabase, token: string, now: Date): Promise<string | undefined> {
  const row = await db
    .selectFrom('mcpTokens')
    .select(['owner', 'lastUsedOn'])
    .where('tokenHash', '=', hashOf(token))
    .where('expiresAt', '>', now.toISOString())
    .executeTakeFirst();
  if (!row) return undefined;
  const today = dayOf(now);
  if (row.lastUsedOn !== today)
    await db.updateTable('mcpTokens').set({ lastUsedOn: today }).where('owner', '=', row.owner).execute();
  return row.owner;
}

export async function forgetEndedTokens(db: AskDatabase, now: Date): Promise<void> {
  await db.deleteFrom('mcpTokens').where('expiresAt', '<=', now.toISOString()).execute();
}
