import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { LimitPeriod } from '../../base/settings/config.ts';
import { markup } from '../../base/text/markup.ts';
import type { MessageHandler } from '../../outbox/message-duties.ts';
import { declareOwnerNotice } from '../../outbox/owner-notices.ts';
import { namesNobody } from '../../outbox/attempts/poster.ts';
import { button } from '../../slack/blocks/blocks.ts';
import { plainMessage } from '../../slack/blocks/messages.ts';
import { buttonRow, messageOf, prose, smallPrint } from '../../slack/blocks/paragraphs.ts';
import type { Click, ClickAction } from '../../slack/interactions.ts';
import { audit } from '../../store/audit.ts';
import type { Tables } from '../../store/tables.ts';
import type { BudgetDeps } from '../budgets/core/evaluation-deps.ts';

/** At most one row, inserted when an admin is asked. */
export type LimitPeriodTables = {
  limitPeriod: { place: 'here'; period: LimitPeriod | null; changedBy: string | null; at: string };
};

const tables = (db: Kysely<Tables>) => db.withTables<LimitPeriodTables>();

const periodSchema = z.enum(['week', 'month', 'quarter', 'year']);
const periodQuestion = declareOwnerNotice('limit-period', z.object({}));
const CHOOSE_PERIOD_ACTION = 'usage_limit_period';

/** Reads over which period a limit counts. The operator or an admin sets it, because the platform does not say. */
export async function readLimitPeriod({
  db,
  config,
}: Pick<BudgetDeps, 'db' | 'config'>): Promise<LimitPeriod | undefined> {
  if (config.limitPeriod) return config.limitPeriod;
  const row = await tables(db).selectFrom('limitPeriod').select('period').executeTakeFirst();
  return row?.period ?? undefined;
}

export async function askForLimitPeriod({ db, clock }: Pick<BudgetDeps, 'db' | 'clock'>): Promise<void> {
  const now = clock.now();
  await db.transaction().execute(async (trx) => {
    const inserted = await tables(trx)
      .insertInto('limitPeriod')
      .values({ place: 'here', period: null, changedBy: null, at: now.toISOString() })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (inserted.numInsertedOrUpdatedRows !== 1n) return;
    await periodQuestion.notify(trx, null, { key: 'limit-period', payload: {} }, now);
  });
}

const choice = (period: LimitPeriod, text: string) => button({ text, actionId: CHOOSE_PERIOD_ACTION, value: period });

const question = () =>
  messageOf(
    prose([
      markup`*Over which period does a credit limit count?*`,
      markup`A member wants a warning before reaching their limit, and the platform doesn’t say. Check its settings or your contract.`,
    ]),
    buttonRow(
      choice('week', 'A week'),
      choice('month', 'A month'),
      choice('quarter', 'A quarter'),
      choice('year', 'A year'),
    ),
    smallPrint(
      markup`If you don’t know, skip this: limit warnings start once it is set. The server operator can also set LIMIT_PERIOD.`,
    ),
  );

export function limitPeriodMessages(deps: BudgetDeps): MessageHandler[] {
  return periodQuestion.handledBy(deps, () => Promise.resolve({ kind: 'send', message: namesNobody(question()) }));
}

export function choosePeriodAction(deps: BudgetDeps): ClickAction {
  return {
    actionId: CHOOSE_PERIOD_ACTION,
    role: 'admin',
    isKept: true,
    isRoleFresh: true,
    run: (click) => choosePeriod(deps, click),
  };
}

async function choosePeriod({ db, clock, config }: BudgetDeps, click: Click): Promise<void> {
  const period = periodSchema.parse(click.value);
  if (config.limitPeriod)
    return click.reply.add(
      plainMessage(`The server operator has set LIMIT_PERIOD to ${config.limitPeriod}, and that counts.`),
    );
  const now = clock.now();
  const by = click.person.slackId;
  await db.transaction().execute(async (trx) => {
    await tables(trx)
      .insertInto('limitPeriod')
      .values({ place: 'here', period, changedBy: by, at: now.toISOString() })
      .onConflict((conflict) => conflict.column('place').doUpdateSet({ period, changedBy: by, at: now.toISOString() }))
      .execute();
    const action = 'said over which period limits count';
    await audit(trx, { about: 'limits:period', actor: by, action, detail: period }, now);
  });
  await click.reply.add(
    plainMessage(`✅ A credit limit counts over a ${period} from now on. Click another to change that.`),
  );
}
