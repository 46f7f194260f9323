import type { Feature } from '../feature.ts';
import { header } from '../slack/blocks.ts';
import { WHOLE_ACTION } from './blocks.ts';
import { correctionDelivery, correctionNoteDelivery } from './correction-delivery.ts';
import { createCorrector } from './corrections.ts';
import { digestDelivery } from './delivery.ts';
import { detailDelivery } from './detail.ts';
import { digestFromSettings } from './from-settings.ts';
import { digestActions, readDigestCommand } from './handlers.ts';
import { introductionDelivery } from './introduction.ts';
import { homeBlocks } from './list-blocks.ts';
import { setUpDigest } from './new-digest.ts';
import { newForm } from './new-form.ts';
import { adminNoticeDelivery, noticeDelivery } from './notices.ts';
import { listDigests } from './overview.ts';
import type { DigestParts } from './parts.ts';
import { digestSubscription } from './planning.ts';
import { createSectionReader } from './readings.ts';
import { DIGEST_HELP } from './request.ts';
import { showWhole } from './whole.ts';

/** Behind what people used themselves. */
const HOME_ORDER = 20;

/** `/digest`: figures where and when somebody wants them, each once, and corrected when they change. */
export function createDigestsFeature(parts: DigestParts): Feature {
  const sending = { ...parts, readSection: createSectionReader(parts.clock) };
  return {
    name: 'digests',
    commands: [{ help: DIGEST_HELP, role: 'manager', read: (words) => readDigestCommand(parts, words) }],
    actions: [
      ...digestActions(parts),
      { actionId: WHOLE_ACTION, role: 'member', run: (click) => showWhole(sending, click) },
    ],
    forms: [newForm((digest) => (interaction, modal) => setUpDigest(parts, digest, interaction, modal))],
    homeSections: [
      {
        order: HOME_ORDER,
        role: 'manager',
        read: async (person) => [header('Your digests'), ...homeBlocks(await listDigests(parts, person), person)],
      },
    ],
    jobs: [
      { name: 'digest-from-settings', run: digestFromSettings(parts) },
      { name: 'correct-digests', run: createCorrector(sending) },
    ],
    subscriptionKinds: { digest: digestSubscription(parts.clock) },
    deliveryKinds: {
      digest: digestDelivery(sending),
      'digest-detail': detailDelivery(sending),
      'digest-introduction': introductionDelivery(sending),
      'digest-correction': correctionDelivery(sending),
      'digest-correction-note': correctionNoteDelivery(sending),
      'digest-notice': noticeDelivery(sending),
      'digest-admin-notice': adminNoticeDelivery(sending),
    },
  };
}
