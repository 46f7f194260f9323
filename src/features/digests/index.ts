import type { Feature } from '../../core/feature.ts';
import { header } from '../../core/slack/blocks/blocks.ts';
import { FULL_DIGEST_ACTION } from './message/digest-message.ts';
import { correctionJob } from './deliver/correct.ts';
import { UNREADABLE } from './core/wait.ts';
import { retryWaiting } from '../../core/outbox/past-deliveries.ts';
import { digestHandler } from './deliver/digest.ts';
import { followUpMessages } from './deliver/follow-up-messages.ts';
import { digestFromSettings } from './manage/from-settings.ts';
import { digestActions, readDigestCommand } from './digest-handlers.ts';
import { introductionHandler } from './deliver/introduction.ts';
import { digestAttention, digestBelongings, digestPosts, homeBlocks } from './manage/list-digests.ts';
import { newForm } from './manage/create.ts';
import { editForm } from './manage/edit.ts';
import { noticeMessages } from './deliver/digest-notices.ts';
import { listDigests } from './core/digest-list.ts';
import type { Clock } from '../../core/base/time/clock.ts';
import type { Database } from '../../core/store/tables.ts';
import type { DigestDeps } from './core/digests-deps.ts';
import { digestSubscription } from './deliver/plan.ts';
import { DIGEST_HELP } from './digest-command.ts';
import { warnAheadJob } from './deliver/warn-ahead.ts';
import { explainActions } from './manage/explain.ts';
import { showFullDigest } from './manage/show.ts';

/** After the user’s own figures. */
const HOME_ORDER = 20;

/** Digests that wait for the platform are tried again now. */
export const resumeDigests = (db: Database): Promise<unknown> => retryWaiting(db, UNREADABLE);

/** By the kind in the table of subscriptions. */
export const digestSubscriptions = (clock: Clock) => ({ digest: digestSubscription(clock) });

/** `/digest`: regular figures for a channel or a person, each sent once, and corrected if they change. */
export function createDigestsFeature(deps: DigestDeps): Feature {
  return {
    name: 'digests',
    commands: [{ help: DIGEST_HELP, role: 'manager', read: (words, now) => readDigestCommand(deps, words, now) }],
    actions: [
      ...digestActions(deps),
      { actionId: FULL_DIGEST_ACTION, role: 'member', run: (click) => showFullDigest(deps, click) },
      ...explainActions(deps),
    ],
    forms: [newForm(deps), editForm(deps)],
    homeSections: [
      {
        order: HOME_ORDER,
        role: 'manager',
        read: async (person) => [header('Your digests'), ...homeBlocks(await listDigests(deps, person), person)],
      },
    ],
    recurringPosts: async (place, person) => digestPosts(await listDigests(deps, person), place, person),
    belongingsOf: async ({ slackId }, admin) => digestBelongings(await listDigests(deps, admin), slackId, admin),
    attention: [{ role: 'manager', read: async (person) => digestAttention(await listDigests(deps, person), person) }],
    jobs: [
      {
        name: 'digest-from-settings',
        cron: '* * * * *',
        purpose: 'sets up the digest of `DIGEST_CHANNEL`',
        run: digestFromSettings(deps),
      },
      correctionJob(deps),
      warnAheadJob(deps),
    ],
    messages: [digestHandler(deps), introductionHandler(deps), ...followUpMessages(deps), ...noticeMessages(deps)],
  };
}
