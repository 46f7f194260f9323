import type { LimitPeriod } from '../../base/settings/config.ts';
import { markup, mention } from '../../base/text/markup.ts';
import type { MessageHandler } from '../../outbox/message-duties.ts';
import { namesNobody } from '../../outbox/attempts/poster.ts';
import { freshChangeAction } from '../../slack/click-actions.ts';
import { button } from '../../slack/blocks/blocks.ts';
import { plainMessage } from '../../slack/blocks/messages.ts';
import { buttonRow, messageOf, prose, smallPrint, type AnyParagraph } from '../../slack/blocks/paragraphs.ts';
import type { Click, ClickAction } from '../../slack/interactions.ts';
import { audit } from '../../store/audit.ts';
import { chooseLimitPeriod, periodQuestion, periodSchema, readChosenPeriod } from '../../figures/limit-period.ts';
import type { BudgetDeps } from '../budgets/core/evaluation-deps.ts';

const CHOOSE_PERIOD_ACTION = 'usage_limit_period';

const choice = (period: LimitPeriod, text: string) => button({ text, actionId: CHOOSE_PERIOD_ACTION, value: period });

const choices = () =>
  buttonRow(
    choice('week', 'A week'),
    choice('month', 'A month'),
    choice('quarter', 'A quarter'),
    choice('year', 'A year'),
  );

const QUESTION = markup`*Over which period does a credit limit count?*`;

const question = () =>
  messageOf(
    prose([
      QUESTION,
      markup`Members see when they run out once this is known, and the platform doesn’t say. Check its settings or your contract.`,
    ]),
    choices(),
    smallPrint(
      markup`If you don’t know, skip this: limit warnings start once it is set. The server operator can also set LIMIT_PERIOD.`,
    ),
  );

/** For `/quartermaster` of admins: the question while it is open, then the period, with the buttons that change it. */
export async function limitPeriodStatus({ db, config }: Pick<BudgetDeps, 'db' | 'config'>): Promise<AnyParagraph[]> {
  const chosen = await readChosenPeriod(db);
  const { limitPeriod } = config;
  if (!chosen)
    return [
      limitPeriod === undefined
        ? prose([QUESTION, markup`Until you choose, members can’t see when they run out.`])
        : prose(markup`A credit limit counts over a ${limitPeriod} (\`LIMIT_PERIOD\`).`),
      choices(),
    ];
  const by = chosen.by === null ? markup`An admin` : mention(chosen.by);
  if (limitPeriod === undefined || chosen.period === limitPeriod)
    return [prose(markup`${by} chose that a credit limit counts over a ${chosen.period}.`), choices()];
  return [
    prose(
      markup`⚠️ ${by} chose that a credit limit counts over a ${chosen.period}, and that counts. \`LIMIT_PERIOD\` is ${limitPeriod}.`,
    ),
    choices(),
  ];
}

export function limitPeriodMessages(deps: BudgetDeps): MessageHandler[] {
  return periodQuestion.handledBy(deps, () => Promise.resolve({ kind: 'send', message: namesNobody(question()) }));
}

export const choosePeriodAction = (deps: BudgetDeps): ClickAction =>
  freshChangeAction(CHOOSE_PERIOD_ACTION, 'admin', (click) => choosePeriod(deps, click));

async function choosePeriod({ db, clock }: BudgetDeps, click: Click): Promise<void> {
  const period = periodSchema.parse(click.value);
  const now = clock.now();
  const by = click.person.slackId;
  await db.transaction().execute(async (trx) => {
    await chooseLimitPeriod(trx, period, by, now);
    const action = 'said over which period limits count';
    await audit(trx, { about: 'limits:period', actor: by, action, detail: period }, now);
  });
  await click.reply.add(
    plainMessage(`✅ A credit limit counts over a ${period} from now on. Click another to change that.`),
  );
}
