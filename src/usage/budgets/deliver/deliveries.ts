import { z } from 'zod';
import { markup } from '../../../base/markup.ts';
import { formatPeriod } from '../../../base/calendar.ts';
import { formatNumber } from '../../../base/numbers.ts';
import type { DeliveryKind, Preparation } from '../../../outbox/attempt.ts';
import type { Delivery } from '../../../outbox/delivery-table.ts';
import { notifyOwner, ownerNoticeDeliveries } from '../../../outbox/owner-notices.ts';
import { findDelivery } from '../../../outbox/past-deliveries.ts';
import type { BlockMessage, Button } from '../../../slack/blocks/blocks.ts';
import { buttonRow, messageOf, prose } from '../../../slack/blocks/paragraphs.ts';
import { placeOfMessage, waitForMessage } from '../../../slack/outbound/posted-message.ts';
import { showButton } from '../core/buttons.ts';
import type { BudgetDeps } from '../core/deps.ts';
import {
  BUDGET_KIND,
  CORRECTION_KIND,
  CORRECTION_NOTE_KIND,
  correctionSchema,
  messageSchema,
  type Correction,
  type Notice,
  type Said,
} from '../core/payload.ts';
import { findBudget, listMarks, toMark, type StoredBudget } from '../core/store.ts';
import { correctedHeadsUp, headsUpMessage, morningFor } from '../../heads-ups/message.ts';
import { percentOf } from '../core/words.ts';
import { correctedMessage, correctionNote, noticeMessage, summaryMessage } from './messages.ts';

const NOTICE_NAME = 'budget';
const GONE = 'The budget was removed.';

const failureSchema = z.object({ title: z.string(), budgetId: z.string(), reason: z.string() });

/** Messages of budgets, and their corrections. */
export function budgetDeliveries(deps: BudgetDeps): Record<string, DeliveryKind> {
  return {
    [BUDGET_KIND]: {
      prepare: async (delivery) => {
        const payload = messageSchema.parse(JSON.parse(delivery.payload));
        const budget = await findBudget(deps.db, payload.budgetId);
        if (budget?.state !== 'active') return { kind: 'skip', reason: GONE };
        if (budget.kind === 'heads_up' && payload.kind === 'crossed') return prepareHeadsUp(deps, budget, payload);
        const message =
          payload.kind === 'summary'
            ? summaryMessage(payload)
            : noticeMessage(payload, lowerButtons(deps, payload.said));
        return { kind: 'send', message };
      },
      onSettled: async (trx, { key, payload }, settlement, now) => {
        if (settlement.state !== 'failed') return;
        const { budgetId, said } = messageSchema.parse(JSON.parse(payload));
        const owner = (await findBudget(trx, budgetId))?.owner ?? null;
        const failure = { title: said.title, budgetId, reason: settlement.reason };
        await notifyOwner(trx, owner, { key: `${key}:failed`, name: NOTICE_NAME, payload: failure }, now);
      },
    },
    [CORRECTION_KIND]: {
      prepare: (delivery) =>
        correct(deps, delivery, (correction) => ({
          isEdit: true,
          message: isHeadsUp(correction)
            ? correctedHeadsUp(correction, moreButtons(deps, correction.after.said))
            : correctedMessage(correction, lowerButtons(deps, correction.after.said)),
        })),
    },
    [CORRECTION_NOTE_KIND]: {
      prepare: (delivery) =>
        correct(deps, delivery, (correction) => ({ isEdit: false, message: correctionNote(correction) })),
    },
    ...ownerNoticeDeliveries(deps, NOTICE_NAME, ({ payload }) => {
      const { title, budgetId, reason } = failureSchema.parse(JSON.parse(payload));
      const what = markup`❌ *${title}:* a message about it couldn’t be posted. ${reason}`;
      return Promise.resolve({ kind: 'send', message: messageOf(prose(what), buttonRow(showButton(budgetId))) });
    }),
  };
}

const isHeadsUp = ({ after }: Correction) => after.budgetId.startsWith('me-');

/** In the person’s day; a limit that was raised meanwhile is watched afresh, and what was said of the old one is not told. */
async function prepareHeadsUp(deps: BudgetDeps, budget: StoredBudget, notice: Notice): Promise<Preparation> {
  if (notice.said.credits !== budget.credits) return { kind: 'skip', reason: 'The limit is another one by now.' };
  const found = await deps.people.identify(budget.channel);
  if (found.kind !== 'known') return { kind: 'skip', reason: 'Slack no longer knows this person.' };
  const until = morningFor(found.person.timeZone, deps.clock.now());
  if (until) return { kind: 'wait', until, reason: 'It waits for the morning of the person.' };
  return { kind: 'send', message: headsUpMessage(notice, moreButtons(deps, notice.said)) };
}

function moreButtons({ limits }: Pick<BudgetDeps, 'limits'>, { spent, period }: Said): Button[] {
  const known = limits();
  return known
    ? [known.requestButton(`I used ${formatNumber(spent)} Standard Credits in ${formatPeriod(period)}.`)]
    : [];
}

function lowerButtons({ limits }: Pick<BudgetDeps, 'limits'>, { title, spent, credits }: Said): Button[] {
  const known = limits();
  return known ? [known.requestLowerButton(`${title}: ${percentOf(spent, credits)} used`)] : [];
}

/** A message that stands nowhere yet is waited for. */
async function correct(
  deps: BudgetDeps,
  delivery: Delivery,
  build: (correction: Correction) => { isEdit: boolean; message: BlockMessage },
) {
  const correction = correctionSchema.parse(JSON.parse(delivery.payload));
  const original = await findDelivery(deps.db, correction.messageKey);
  const place = placeOfMessage(original);
  if (!place) return waitForMessage(deps, original, 'message');
  const current = await withStanding(deps, correction);
  const { isEdit, message } = build(current);
  if (isEdit) return { kind: 'edit' as const, place, message };
  return { kind: 'send' as const, message: { ...message, replyTo: place } };
}

/** Of several corrections of a message, the one that is made last says what stands by then. */
async function withStanding({ db }: BudgetDeps, correction: Correction): Promise<Correction> {
  const { budgetId, said } = correction.after;
  const marks = (await listMarks(db, [budgetId], said.period.first)).get(budgetId) ?? [];
  const standing = marks.flatMap((row) => {
    const mark = toMark(row);
    return mark?.state === 'told' && row.delivery_key === correction.messageKey
      ? [{ basis: mark.basis, percent: mark.percent }]
      : [];
  });
  return { ...correction, standing };
}
