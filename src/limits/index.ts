import type { Feature } from '../feature.ts';
import {
  CARD_COPIES_KIND,
  CARD_EDIT_KIND,
  CARD_KIND,
  REMINDER_KIND,
  RETURN_SOON_KIND,
  TOLD_KIND,
} from './core/notify.ts';
import { createApplier } from './apply/applier.ts';
import { sendDraft, submitInput } from './ask/handlers.ts';
import {
  cardCopiesDelivery,
  cardDelivery,
  cardEditDelivery,
  createCardPlace,
  reminderDelivery,
} from './card/deliveries.ts';
import { importForms } from './import/form.ts';
import { showPreview } from './import/handlers.ts';
import { forgetOldDrafts } from './ask/drafts.ts';
import { limitActions, readLimitsCommand } from './actions.ts';
import { limitsSection, readTimeline } from './views/digest-section.ts';
import { homeBlocks } from './views/list.ts';
import { withLimits } from './core/tables.ts';
import type { LimitParts } from './core/parts.ts';
import { askForms } from './ask/form.ts';
import { decideReview } from './decide/handlers.ts';
import { reviewForm } from './decide/form.ts';
import { announceEnds, beginReturns } from './decide/revert.ts';
import { returnSoonDelivery, statusDelivery } from './card/status-message.ts';
import { watchWaiting } from './decide/reminders.ts';
import { LIMITS_HELP } from './commands.ts';
import type { Database } from '../store/tables.ts';

/** Before everything else: somebody waits. */
const HOME_ORDER = 5;

/** `/limits`: asking for credit limits, deciding, setting them on the platform, and proving it afterwards. */
export function createLimitsFeature(given: Omit<LimitParts, 'db'> & { db: Database }): Feature {
  const parts: LimitParts = { ...given, db: withLimits(given.db) };
  const cardPlace = createCardPlace(parts);
  const applier = createApplier(parts, cardPlace);
  return {
    name: 'limits',
    commands: [{ help: LIMITS_HELP, role: 'member', read: (words) => readLimitsCommand(parts, words) }],
    actions: limitActions(parts, applier),
    forms: [
      ...askForms(
        (read) => (interaction, modal) => submitInput(parts, cardPlace, read, interaction, modal),
        (draft) => (interaction, modal) => sendDraft(parts, cardPlace, draft, interaction, modal),
      ),
      ...importForms(
        (source) => (interaction, modal) => showPreview(parts, source, interaction, modal),
        ({ draftId, reason }) =>
          (interaction, modal) =>
            sendDraft(parts, cardPlace, draftId, interaction, modal, (ask) => ({ ...ask, reason })),
      ),
      reviewForm((review) => (interaction, modal) => decideReview(parts, applier, review, interaction, modal)),
    ],
    jobs: [
      { name: 'watch-waiting-requests', run: () => watchWaiting(parts) },
      { name: 'announce-ends-of-raises', run: () => announceEnds(parts) },
      { name: 'begin-returns', run: () => beginReturns(parts, cardPlace) },
      { name: 'apply-limits', run: () => applier.applyDue() },
      { name: 'forget-old-drafts', run: () => forgetOldDrafts(parts.db, parts.clock.now()) },
    ],
    digestSections: [limitsSection(parts)],
    homeSections: [{ order: HOME_ORDER, role: 'member', read: (person) => homeBlocks(parts, person) }],
    timeline: (period) => readTimeline(parts, period),
    deliveryKinds: {
      [CARD_KIND]: cardDelivery(parts),
      [CARD_COPIES_KIND]: cardCopiesDelivery(parts),
      [CARD_EDIT_KIND]: cardEditDelivery(parts),
      [REMINDER_KIND]: reminderDelivery(parts),
      [TOLD_KIND]: statusDelivery(parts),
      [RETURN_SOON_KIND]: returnSoonDelivery(parts),
    },
    stop: () => applier.stop(),
  };
}
