import type { Feature } from '../feature.ts';
import { header } from '../slack/blocks/blocks.ts';
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
import { DIGEST_HELP } from './request.ts';
import { showWhole } from './whole.ts';

/** Behind what people used themselves. */
const HOME_ORDER = 20;

/** `/digest`: figures where and when somebody wants them, each once, and corrected when they change. */
export function createDigestsFeature(parts: DigestParts): Feature {
  return {
    name: 'digests',
    commands: [{ help: DIGEST_HELP, role: 'manager', read: (words) => readDigestCommand(parts, words) }],
    actions: [
      ...digestActions(parts),
      { actionId: WHOLE_ACTION, role: 'member', run: (click) => showWhole(parts, click) },
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
      { name: 'correct-digests', run: createCorrector(parts) },
    ],
    subscriptionKinds: { digest: digestSubscription(parts.clock) },
    deliveryKinds: {
      digest: digestDelivery(parts),
      'digest-detail': detailDelivery(parts),
      'digest-introduction': introductionDelivery(parts),
      'digest-correction': correctionDelivery(parts),
      'digest-correction-note': correctionNoteDelivery(parts),
      'digest-notice': noticeDelivery(parts),
      'digest-admin-notice': adminNoticeDelivery(parts),
    },
  };
}
