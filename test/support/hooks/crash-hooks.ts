import type { Bot } from '../processes/bot-processes.ts';
import { withHooks } from '../../../src/features/sessions/hooks/core/session-tables.ts';
import { exchangeCode, hashOf, renewSetupCode } from '../../../src/features/sessions/hooks/core/tokens.ts';
import { openStore } from '../../../src/core/store/database.ts';

/** Bots that follow each other take any free port each. */
export const ANY_PORT = { HOOKS_PORT: '0', HOOKS_URL: 'http://127.0.0.1:1' };

/** The address at which a bot accepts events. */
export function hooksUrlOf(bot: Pick<Bot, 'logged'>): string {
  const port = /"hooksPort":(\d+)/.exec(bot.logged())?.[1];
  if (port === undefined) throw new Error('The bot takes no events');
  return `http://127.0.0.1:${port}/hooks/v1`;
}

/** Gives each person a token, without a bot. */
export async function makeTokens(databaseUrl: string, owners: readonly string[], now: Date): Promise<string[]> {
  const store = await openStore(databaseUrl);
  try {
    const db = withHooks(store.db);
    const tokens: string[] = [];
    for (const owner of owners) {
      const exchanged = await db
        .transaction()
        .execute(async (trx) => exchangeCode(trx, hashOf(await renewSetupCode(trx, owner, now)), now));
      tokens.push(exchanged?.token ?? '');
    }
    return tokens;
  } finally {
    await store.close();
  }
}
