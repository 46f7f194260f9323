import type { LimitPeriod } from '../../../core/base/settings/config.ts';
import { markup, mention } from '../../../core/base/text/markup.ts';
import type { MessageHandler } from '../../../core/outbox/message-kind.ts';
import { namesNobody } from '../../../core/outbox/poster.ts';
import { freshChangeAction, freshReadAction } from '../../../core/slack/interactions/click-actions.ts';
import { button } from '../../../core/slack/blocks/blocks.ts';
import { plainMessage } from '../../../core/slack/blocks/messages.ts';
import { buttonRow, messageOf, prose, smallPrint, type AnyParagraph } from '../../../core/slack/blocks/paragraphs.ts';
import type { Click, ClickAction } from '../../../core/slack/interactions/interactions.ts';
import { audit } from '../../../core/store/audit.ts';
import {
  chooseLimitPeriod,
  periodQuestion,
  periodSchema,
  readChosenPeriod,
  readLimitPeriod,
} from '../../../core/figures/limit-period.ts';
import type { BudgetDeps } from '../budgets/core/evaluation-deps.ts';

const CHOOSE_PERIOD_ACTION = 'usage_limit_period';

/** Shows the choices: a known period is not offered for change each time. */
const CHANGE_PERIOD_ACTION = 'usage_limit_period_change';

const PERIODS = ['week', 'month', 'quarter', 'year'] as const;

/** @param current marked, and not asked about again */
function choice(period: LimitPeriod, current: LimitPeriod | undefined) {
  const isCurrent = period === current;
  return button({
    text: isCurrent ? `✓ A ${period} (now)` : `A ${period}`,
    actionId: CHOOSE_PERIOD_ACTION,
    value: period,
    ...(isCurrent ? {} : { confirm: confirmationOf(period, current) }),
  });
}

/** A change is for everybody, and stops policies that count over another period. */
function confirmationOf(period: LimitPeriod, current: LimitPeriod | undefined) {
  const from = current === undefined ? markup`` : markup` instead of a ${current}`;
  return {
    title: `A ${period}, for everybody?`,
    text: markup`Every credit limit then counts over a ${period}${from}. This changes when members run out and when they are warned. Limit policies that two admins agreed on for another period leave requests to people.`,
    confirm: `A ${period}`,
    deny: 'Keep it as it is',
  };
}

const choices = (current: LimitPeriod | undefined) => buttonRow(...PERIODS.map((period) => choice(period, current)));

const changeButton = () => buttonRow(button({ text: 'Change …', actionId: CHANGE_PERIOD_ACTION }));

const QUESTION = markup`*Over which period does a credit limit count?*`;

const question = () =>
  messageOf(
    prose([
      QUESTION,
      markup`Members see when they run out once this is known, and the platform doesn’t say. Check its settings or your contract.`,
    ]),
    choices(undefined),
    smallPrint(
      markup`If you don’t know, skip this: limit warnings start once it is set. The server operator can also set LIMIT_PERIOD.`,
    ),
  );

/** For `/quartermaster` of admins: the question while it is open, then the period, and a button to change it. */
export async function limitPeriodStatus({ db, config }: Pick<BudgetDeps, 'db' | 'config'>): Promise<AnyParagraph[]> {
  const chosen = await readChosenPeriod(db);
  const { limitPeriod } = config;
  if (!chosen)
    return limitPeriod === undefined
      ? [prose([QUESTION, markup`Until you choose, members can’t see when they run out.`]), choices(undefined)]
      : [prose(markup`A credit limit counts over a ${limitPeriod} (\`LIMIT_PERIOD\`).`), changeButton()];
  const by = chosen.by === null ? markup`An admin` : mention(chosen.by);
  if (limitPeriod === undefined || chosen.period === limitPeriod)
    return [prose(markup`${by} chose that a credit limit counts over a ${chosen.period}.`), changeButton()];
  return [
    prose(
      markup`⚠️ ${by} chose that a credit limit counts over a ${chosen.period}, and that counts. \`LIMIT_PERIOD\` is ${limitPeriod}.`,
    ),
    changeButton(),
  ];
}

export function limitPeriodMessages(deps: BudgetDeps): MessageHandler[] {
  return periodQuestion.handledBy(deps, () => Promise.resolve({ kind: 'send', message: namesNobody(question()) }));
}

export const periodActions = (deps: BudgetDeps): ClickAction[] => [
  freshReadAction(CHANGE_PERIOD_ACTION, 'admin', async (click) =>
    click.reply.add(messageOf(prose(QUESTION), choices(await readLimitPeriod(deps)))),
  ),
  freshChangeAction(CHOOSE_PERIOD_ACTION, 'admin', (click) => choosePeriod(deps, click)),
];

async function choosePeriod(deps: BudgetDeps, click: Click): Promise<void> {
  const { db, clock } = deps;
  const period = periodSchema.parse(click.value);
  const before = await readLimitPeriod(deps);
  if (before === period)
    return click.reply.add(plainMessage(`A credit limit already counts over a ${period}. Nothing changed.`));
  const now = clock.now();
  const by = click.person.slackId;
  await db.transaction().execute(async (trx) => {
    await chooseLimitPeriod(trx, period, by, now);
    const action = 'said over which period limits count';
    await audit(
      trx,
      { about: 'limits:period', actor: by, action, detail: `${before ?? 'not known'} → ${period}` },
      now,
    );
  });
  await click.reply.add(plainMessage(`✅ For everybody, a credit limit counts over a ${period} from now on.`));
}
