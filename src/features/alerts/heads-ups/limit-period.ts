import {
  LAST_START_DAY,
  limitPeriodSchema,
  monthFrom,
  PERIOD_UNITS,
  periodName,
  type LimitPeriod,
} from '../../../core/base/time/limit-period-days.ts';
import { markup, mention, type Markup } from '../../../core/base/text/markup.ts';
import { showsLimits } from '../../../core/platform/capabilities/capability.ts';
import { readCapability } from '../../../core/platform/capabilities/capability-store.ts';
import type { MessageHandler } from '../../../core/outbox/message-kind.ts';
import { namesNobody } from '../../../core/outbox/poster.ts';
import { freshChangeAction, freshReadAction } from '../../../core/slack/interactions/click-actions.ts';
import { button, menu } from '../../../core/slack/blocks/blocks.ts';
import { plainMessage } from '../../../core/slack/blocks/messages.ts';
import { buttonRow, messageOf, prose, smallPrint, type AnyParagraph } from '../../../core/slack/blocks/paragraphs.ts';
import type { Click, ClickAction } from '../../../core/slack/interactions/interactions.ts';
import { audit } from '../../../core/store/audit.ts';
import {
  chooseLimitPeriod,
  periodQuestion,
  readChosenPeriod,
  readLimitPeriod,
} from '../../../core/figures/limit-period.ts';
import type { BudgetDeps } from '../budgets/core/evaluation-deps.ts';

const CHOOSE_PERIOD_ACTION = 'usage_limit_period';

/** Shows the choices: a known period is not offered for change each time. */
const CHANGE_PERIOD_ACTION = 'usage_limit_period_change';

/** @param current marked, and not asked about again */
const choiceText = (period: LimitPeriod, current: LimitPeriod | undefined): string =>
  period === current ? `✓ A ${periodName(period)} (now)` : `A ${periodName(period)}`;

function choice(period: LimitPeriod, current: LimitPeriod | undefined, likely: LimitPeriod | undefined) {
  const isCurrent = period === current;
  return button({
    text: choiceText(period, current),
    actionId: CHOOSE_PERIOD_ACTION,
    value: period,
    ...(period === likely ? { style: 'primary' as const } : {}),
    ...(isCurrent ? {} : { confirm: confirmationOf(periodName(period), current) }),
  });
}

/** A month that doesn’t begin on the first of the calendar’s. */
function startMenu(current: LimitPeriod | undefined) {
  const periods = Array.from({ length: LAST_START_DAY - 1 }, (_, index) => monthFrom(index + 2));
  return menu({
    placeholder: 'A month from another day',
    actionId: CHOOSE_PERIOD_ACTION,
    options: periods.map((period) => ({ text: choiceText(period, current), value: period })),
    chosen: current,
    confirm: confirmationOf('month from that day', current),
  });
}

/** A change is for everybody, and stops policies that count over another period. */
function confirmationOf(period: string, current: LimitPeriod | undefined) {
  const from = current === undefined ? markup`` : markup` instead of a ${periodName(current)}`;
  return {
    title: `A ${period}, for everybody?`,
    text: markup`Every credit limit then counts over a ${period}${from}. This changes when members run out and when they are warned. Limit policies that two admins agreed on for another period leave requests to people.`,
    confirm: `A ${period}`,
    deny: 'Keep it as it is',
  };
}

const choices = (current: LimitPeriod | undefined, likely?: LimitPeriod) =>
  buttonRow(...PERIOD_UNITS.map((period) => choice(period, current, likely)), startMenu(current));

/** The documents of a platform that shows limits name monthly caps, and not the day on which a month begins. */
const readLikelyPeriod = async ({ db }: Pick<BudgetDeps, 'db'>): Promise<LimitPeriod | undefined> =>
  showsLimits(await readCapability(db, 'limits')) ? 'month' : undefined;

const likelyLines = (likely: LimitPeriod | undefined): Markup[] =>
  likely === undefined
    ? []
    : [
        markup`Platforms that show limits document them as limits of a ${likely}. Whether it begins on the 1st or with your billing period isn’t documented. If it begins on another day, choose that day.`,
      ];

const changeButton = () => buttonRow(button({ text: 'Change …', actionId: CHANGE_PERIOD_ACTION }));

const QUESTION = markup`*Over which period does a credit limit count?*`;

const question = (likely: LimitPeriod | undefined) =>
  messageOf(
    prose([
      QUESTION,
      markup`Members see when they run out once this is known, and the platform doesn’t say. Check its settings or your contract.`,
      ...likelyLines(likely),
    ]),
    choices(undefined, likely),
    smallPrint(
      markup`If you don’t know, skip this: limit warnings start once it is set. The server operator can also set LIMIT_PERIOD.`,
    ),
  );

/** The question while it is open. */
export async function limitPeriodQuestion(deps: Pick<BudgetDeps, 'db'>): Promise<AnyParagraph[]> {
  const likely = await readLikelyPeriod(deps);
  return [
    prose([QUESTION, markup`Until you choose, members can’t see when they run out.`, ...likelyLines(likely)]),
    choices(undefined, likely),
  ];
}

/** For `/quartermaster` of admins: the question while it is open, then the period, and a button to change it. */
export async function limitPeriodStatus({ db, config }: Pick<BudgetDeps, 'db' | 'config'>): Promise<AnyParagraph[]> {
  const chosen = await readChosenPeriod(db);
  const { limitPeriod } = config;
  if (!chosen)
    return limitPeriod === undefined
      ? limitPeriodQuestion({ db })
      : [prose(markup`A credit limit counts over a ${periodName(limitPeriod)} (\`LIMIT_PERIOD\`).`), changeButton()];
  const by = chosen.by === null ? markup`An admin` : mention(chosen.by);
  if (limitPeriod === undefined || chosen.period === limitPeriod)
    return [prose(markup`${by} chose that a credit limit counts over a ${periodName(chosen.period)}.`), changeButton()];
  return [
    prose(
      markup`⚠️ ${by} chose that a credit limit counts over a ${periodName(chosen.period)}, and that counts. \`LIMIT_PERIOD\` is ${limitPeriod}.`,
    ),
    changeButton(),
  ];
}

export function limitPeriodMessages(deps: BudgetDeps): MessageHandler[] {
  return periodQuestion.handledBy(deps, async () => ({
    kind: 'send',
    message: namesNobody(question(await readLikelyPeriod(deps))),
  }));
}

export const periodActions = (deps: BudgetDeps): ClickAction[] => [
  freshReadAction(CHANGE_PERIOD_ACTION, 'admin', async (click) =>
    click.reply.add(messageOf(prose(QUESTION), choices(await readLimitPeriod(deps)))),
  ),
  freshChangeAction(CHOOSE_PERIOD_ACTION, 'admin', (click) => choosePeriod(deps, click)),
];

async function choosePeriod(deps: BudgetDeps, click: Click): Promise<void> {
  const { db, clock } = deps;
  const period = limitPeriodSchema.parse(click.value);
  const before = await readLimitPeriod(deps);
  if (before === period)
    return click.reply.add(
      plainMessage(`A credit limit already counts over a ${periodName(period)}. Nothing changed.`),
    );
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
  await click.reply.add(
    plainMessage(`✅ For everybody, a credit limit counts over a ${periodName(period)} from now on.`),
  );
}
