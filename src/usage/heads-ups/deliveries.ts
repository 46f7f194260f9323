import type { DeliveryKind, Preparation } from '../../outbox/attempt.ts';
import type { Delivery } from '../../outbox/delivery-table.ts';
import type { BudgetDeps } from '../../alerts/budgets/core/deps.ts';
import { deliveryKindsOf, noticeSchema } from '../../alerts/budgets/core/payload.ts';
import { findMarked } from '../../alerts/budgets/core/retention.ts';
import { findBudget } from '../../alerts/budgets/core/store.ts';
import { correctionDeliveries } from '../budgets/deliver/corrections.ts';
import { requestMoreButtons } from '../own/own-view.ts';
import { correctedHeadsUp, headsUpMessage, morningFor } from '../../alerts/heads-ups/message.ts';

/** Direct messages about one’s own credits, and their corrections. */
export function headsUpDeliveries(deps: BudgetDeps): Record<string, DeliveryKind> {
  return {
    [deliveryKindsOf('heads_up').message]: {
      prepare: (delivery) => prepare(deps, delivery),
      findNeeded: findMarked,
    },
    ...correctionDeliveries(deps, 'heads_up', (correction) =>
      correctedHeadsUp(correction, requestMoreButtons(deps, correction.after.said.spent, correction.after.said.period)),
    ),
  };
}

/** In the person’s day; a limit that was raised meanwhile is watched afresh, and what was said of the old one is not told. */
async function prepare(deps: BudgetDeps, { payload }: Delivery): Promise<Preparation> {
  const notice = noticeSchema.parse(JSON.parse(payload));
  const headsUp = await findBudget(deps.db, notice.budgetId, 'heads_up');
  if (headsUp?.state !== 'active') return { kind: 'skip', reason: 'The heads-ups were turned off.' };
  if (notice.said.credits !== headsUp.credits) return { kind: 'skip', reason: 'The limit is another one by now.' };
  const found = await deps.people.identify(headsUp.channel);
  if (found.kind !== 'known') return { kind: 'skip', reason: 'Slack no longer knows this person.' };
  const until = morningFor(found.person.timeZone, deps.clock.now());
  if (until) return { kind: 'wait', until, reason: 'It waits for the morning of the person.' };
  return {
    kind: 'send',
    message: headsUpMessage(notice, requestMoreButtons(deps, notice.said.spent, notice.said.period)),
  };
}
