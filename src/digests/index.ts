import type { Feature } from '../feature.ts';
import { header } from '../slack/blocks/blocks.ts';
import { WHOLE_ACTION } from './message/message.ts';
import { createCorrector } from './deliver/correct.ts';
import { digestDelivery } from './deliver/digest.ts';
import { correctionDelivery, correctionNoteDelivery, detailDelivery } from './deliver/follow-ups.ts';
import { digestFromSettings } from './manage/from-settings.ts';
import { digestActions, readDigestCommand } from './handlers.ts';
import { introductionDelivery } from './deliver/introduction.ts';
import { homeBlocks } from './manage/list.ts';
import { newForm } from './manage/create.ts';
import { editForm } from './manage/edit.ts';
import { noticeDeliveries } from './deliver/notices.ts';
import { findLastPlanned } from './core/planned.ts';
import { listDigests } from './core/list.ts';
import type { DigestDeps } from './core/deps.ts';
import { digestSubscription } from './deliver/plan.ts';
import { DIGEST_HELP } from './commands.ts';
import { showWhole } from './manage/show.ts';

/** Behind what people used themselves. */
const HOME_ORDER = 20;

/** `/digest`: figures where and when somebody wants them, each once, and corrected when they change. */
export function createDigestsFeature(deps: DigestDeps): Feature {
  return {
    name: 'digests',
    commands: [{ help: DIGEST_HELP, role: 'manager', read: (words) => readDigestCommand(deps, words) }],
    actions: [
      ...digestActions(deps),
      { actionId: WHOLE_ACTION, role: 'member', run: (click) => showWhole(deps, click) },
    ],
    forms: [newForm(deps), editForm(deps)],
    homeSections: [
      {
        order: HOME_ORDER,
        role: 'manager',
        read: async (person) => [header('Your digests'), ...homeBlocks(await listDigests(deps, person), person)],
      },
    ],
    jobs: [
      { name: 'digest-from-settings', run: digestFromSettings(deps) },
      { name: 'correct-digests', run: createCorrector(deps) },
    ],
    subscriptionKinds: { digest: digestSubscription(deps.clock) },
    deliveryKinds: {
      digest: { ...digestDelivery(deps), findNeeded: findLastPlanned },
      'digest-detail': detailDelivery(deps),
      'digest-introduction': introductionDelivery(deps),
      'digest-correction': correctionDelivery(deps),
      'digest-correction-note': correctionNoteDelivery(deps),
      ...noticeDeliveries(deps),
    },
  };
}
