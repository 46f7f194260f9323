import type { Feature } from '../feature.ts';
import {
  CARD_COPIES_KIND,
  CARD_EDIT_KIND,
  CARD_KIND,
  REMINDER_KIND,
  RETURN_SOON_KIND,
  TOLD_KIND,
} from './announcing.ts';
import { createApplier } from './applying.ts';
import { sendDraft, submitInput } from './ask-handlers.ts';
import {
  cardCopiesDelivery,
  cardDelivery,
  cardEditDelivery,
  createCardPlace,
  reminderDelivery,
} from './card-delivery.ts';
import { importForms } from './import-form.ts';
import { showPreview } from './import-handlers.ts';
import { forgetOldDrafts } from './drafts.ts';
import { limitActions, readLimitsCommand } from './handlers.ts';
import { limitsSection, readTimeline } from './history-sections.ts';
import { homeBlocks } from './listing.ts';
import { withLimits } from './limit-tables.ts';
import type { LimitParts } from './parts.ts';
import { askForms } from './request-form.ts';
import { decideReview } from './review-handlers.ts';
import { reviewForm } from './review-form.ts';
import { announceEnds, beginReturns } from './returns.ts';
import { returnSoonDelivery, statusDelivery } from './status-message.ts';
import { watchWaiting } from './waiting.ts';
import { LIMITS_HELP } from './words.ts';
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
