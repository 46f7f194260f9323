import type { Job } from '../../core/schedule/job.ts';
import type { Applier } from './apply/applier.ts';
import { askNextApprovers } from './approvers/ask-approvers.ts';
import { forgetOldDrafts } from './ask/drafts.ts';
import { replaceLostCards } from './card/lost-cards.ts';
import type { LimitDeps } from './core/limits-deps.ts';
import type { CardTarget } from './core/notify.ts';
import { remindAndExpire } from './decide/reminders.ts';
import { announceEnds, beginReturns } from './decide/returns.ts';
import { announceLimitChanges } from './drift/limit-changes.ts';
import { resendQuestions } from './question/failed-questions.ts';

/** In the order in which those that are due together run. */
export function limitJobs(
  deps: LimitDeps,
  { applier, cardTarget }: { applier: Applier; cardTarget: () => Promise<CardTarget> },
): Job[] {
  return [
    {
      name: 'watch-waiting-requests',
      cron: '* * * * *',
      purpose: 'reminds admins of limit requests, and ends old ones',
      run: () => remindAndExpire(deps),
    },
    {
      name: 'ask-next-approvers',
      cron: '* * * * *',
      purpose: 'hands limit requests on to the next approver',
      run: () => askNextApprovers(deps),
    },
    {
      name: 'replace-lost-cards',
      cron: '* * * * *',
      purpose: 'posts a card for each pending request without one',
      run: () => replaceLostCards(deps, cardTarget),
    },
    {
      name: 'resend-failed-questions',
      cron: '* * * * *',
      purpose: 'asks again if a question to a requester failed',
      run: () => resendQuestions(deps),
    },
    {
      name: 'announce-ends-of-raises',
      cron: '* * * * *',
      purpose: 'announces that a temporary limit ends soon',
      run: () => announceEnds(deps),
    },
    {
      name: 'begin-returns',
      cron: '* * * * *',
      purpose: 'returns temporary limits that ended',
      run: () => beginReturns(deps, cardTarget),
    },
    {
      name: 'apply-limits',
      cron: '* * * * *',
      purpose: 'sends approved limits to the platform',
      run: () => applier.applyDue(),
    },
    {
      name: 'announce-limit-changes',
      cron: '* * * * *',
      purpose: 'tells admins which limits were changed elsewhere',
      run: () => announceLimitChanges(deps, cardTarget),
    },
    {
      name: 'forget-old-drafts',
      cron: '7 * * * *',
      purpose: 'deletes drafts of forms',
      run: () => forgetOldDrafts(deps.db, deps.clock.now()),
    },
  ];
}
