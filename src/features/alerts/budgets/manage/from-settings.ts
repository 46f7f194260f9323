import { audit, BOT_ACTOR } from '../../../../core/store/audit.ts';
import type { Config } from '../../../../core/base/settings/config.ts';
import { channelOfSetting } from '../../../../core/slack/outbound/channels/apply-channel-setting.ts';
import { auditSubject, type Budget } from '../core/budget.ts';
import type { BudgetDeps } from '../core/evaluation-deps.ts';
import { findBudget, putBudget, removeBudget } from '../core/budget-store.ts';
import { evaluateBudgets } from '../evaluate/evaluate.ts';
import { todayOf } from '../../../../core/analytics/period.ts';
import { auditWords, SETTINGS_BUDGET } from './budget-list.ts';

type BudgetSettings = NonNullable<Config['budget']>;

export function budgetFromSettings(deps: BudgetDeps): () => Promise<void> {
  const { budget: settings } = deps.config;
  return channelOfSetting(deps, { setting: 'BUDGET_CHANNEL', channel: settings?.channel }, async (channel) => {
    if (!settings || channel === undefined) {
      await deps.db.transaction().execute((trx) => removeBudget(trx, SETTINGS_BUDGET, null, deps.clock.now()));
      return;
    }
    await put(deps, settings, channel);
    // Thresholds that are reached already are recorded now, so that only later ones cause a message.
    const budget = await findBudget(deps.db, SETTINGS_BUDGET);
    if (budget && !budget.isBaselineTaken)
      await evaluateBudgets(deps, [budget], { today: todayOf(deps), published: undefined });
  });
}

/** An unchanged budget is left alone, so that thresholds already reported stay recorded. A paused one stays paused. */
async function put({ db, clock }: BudgetDeps, settings: BudgetSettings, channel: string): Promise<void> {
  const now = clock.now();
  const budget: Budget = {
    id: SETTINGS_BUDGET,
    kind: 'budget',
    name: undefined,
    credits: settings.credits,
    period: { unit: settings.period },
    subject: { kind: 'organization' },
    thresholds: { actual: settings.thresholds, forecast: [100] },
    price: undefined,
    namesPeople: false,
    channel,
    owner: undefined,
  };
  await db.transaction().execute(async (trx) => {
    const storedBudget = await findBudget(trx, SETTINGS_BUDGET);
    const isSame =
      storedBudget !== undefined &&
      storedBudget.credits === budget.credits &&
      JSON.stringify(storedBudget.period) === JSON.stringify(budget.period) &&
      JSON.stringify(storedBudget.thresholds) === JSON.stringify(budget.thresholds) &&
      storedBudget.channel === channel;
    if (isSame) return;
    await putBudget(trx, budget, null, now);
    const entry = { about: auditSubject(SETTINGS_BUDGET), actor: BOT_ACTOR, action: 'took it from the settings' };
    await audit(trx, { ...entry, detail: auditWords(budget) }, now);
  });
}
