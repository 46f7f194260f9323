import type { Feature } from '../../core/feature.ts';
import { approversSubmission } from './approvers/approvers-handlers.ts';
import { askNextApprovers } from './approvers/ask-approvers.ts';
import { giveForm } from './approvers/give-request.ts';
import { createApplier } from './apply/applier.ts';
import { replaceLostCards } from './card/lost-cards.ts';
import { cardMessages } from './card/write-request-cards.ts';
import { createCardTarget } from './card/card-target.ts';
import { importForms } from './import/import-limits-handlers.ts';
import { createMonthlyUse } from './core/monthly-use.ts';
import { forgetOldDrafts } from './ask/drafts.ts';
import { limitActions } from './actions.ts';
import { readLimitsCommand } from './limit-handlers.ts';
import { limitsSection, readTimeline } from './views/limits-digest-section.ts';
import { homeBlocks, readAttention } from './views/request-list.ts';
import { requestLowerButton, requestMoreButtons } from './core/limit-buttons.ts';
import { declareForm } from './declare/declare-handlers.ts';
import { limitOf } from './core/limit-of.ts';
import { emailsInLedger } from './core/ledger.ts';
import { withLimits } from './core/limit-tables.ts';
import type { LimitDeps } from './core/limits-deps.ts';
import { askForms } from './ask/request-limit-handlers.ts';
import { createKnownEmails } from './core/known-emails.ts';
import { denyForm } from './decide/deny.ts';
import { reviewForm } from './decide/decide-request-handlers.ts';
import { announceEnds, beginReturns } from './decide/returns.ts';
import { statusMessages } from './card/status-message.ts';
import { remindAndExpire } from './decide/reminders.ts';
import { resendQuestions } from './question/failed-questions.ts';
import { questionMessages } from './question/question-messages.ts';
import { questionForms } from './question/question-handlers.ts';
import { lineMessages } from '../limit-policies/messages/daily-line.ts';
import { noticeMessages } from '../limit-policies/messages/write-policy-notices.ts';
import { runPolicies } from '../limit-policies/live/run-policies.ts';
import { onlyHereAction, onlyHereStatus } from '../limit-policies/screens/only-here-status.ts';
import { policiesHome, readPolicyAttention } from '../limit-policies/screens/policies-home.ts';
import { policyActions, policyForms } from '../limit-policies/screens/policy-handlers.ts';
import { LIMITS_HELP } from './limits-command.ts';
import type { Database } from '../../core/store/tables.ts';

/** Before all other sections, because a requester is waiting. */
const HOME_ORDER = 5;
const POLICIES_HOME_ORDER = 6;

export function createLimitsFeature(
  services: Omit<LimitDeps, 'db' | 'knownEmails' | 'readMonthlyUse'> & { db: Database },
): Feature {
  const deps: LimitDeps = {
    ...services,
    db: withLimits(services.db),
    knownEmails: createKnownEmails(services),
    readMonthlyUse: createMonthlyUse(services),
  };
  const cardTarget = createCardTarget(deps);
  const applier = createApplier(deps, cardTarget);
  const sending = { cardTarget, apply: (request: Parameters<typeof applier.apply>[0]) => applier.apply(request) };
  return {
    name: 'limits',
    commands: [{ help: LIMITS_HELP, role: 'member', read: (words, now) => readLimitsCommand(deps, words, now) }],
    actions: [...limitActions(deps, applier), ...policyActions(deps), onlyHereAction(deps)],
    forms: [
      ...askForms(deps, sending),
      ...importForms(deps, sending),
      ...policyForms(deps),
      declareForm(deps),
      approversSubmission(deps),
      giveForm(deps),
      ...questionForms(deps),
      reviewForm(deps, applier),
      denyForm(deps),
    ],
    jobs: [
      { name: 'watch-waiting-requests', run: () => remindAndExpire(deps) },
      { name: 'ask-next-approvers', run: () => askNextApprovers(deps) },
      { name: 'replace-lost-cards', run: () => replaceLostCards(deps, cardTarget) },
      { name: 'resend-failed-questions', run: () => resendQuestions(deps) },
      { name: 'announce-ends-of-raises', run: () => announceEnds(deps) },
      { name: 'begin-returns', run: () => beginReturns(deps, cardTarget) },
      { name: 'run-limit-policies', run: runPolicies(deps, sending) },
      { name: 'apply-limits', run: () => applier.applyDue() },
      { name: 'forget-old-drafts', run: () => forgetOldDrafts(deps.db, deps.clock.now()) },
    ],
    digestSections: [limitsSection(deps)],
    homeSections: [
      { order: HOME_ORDER, role: 'member', read: (person) => homeBlocks(deps, person) },
      { order: POLICIES_HOME_ORDER, role: 'admin', read: () => policiesHome(deps) },
    ],
    attention: [
      { role: 'admin', read: (person) => readAttention(deps, person) },
      { role: 'admin', read: () => readPolicyAttention(deps) },
    ],
    adminStatus: () => onlyHereStatus(deps),
    timeline: (period) => readTimeline(deps, period),
    limits: {
      limitOf: (email) => limitOf(deps.db, email),
      emailsWithLimit: () => emailsInLedger(deps.db),
      requestMoreButtons,
      requestLowerButton,
    },
    messages: [
      ...cardMessages(deps),
      ...statusMessages(deps),
      ...questionMessages(deps),
      ...lineMessages(deps),
      ...noticeMessages(deps),
    ],
    stop: () => applier.stop(),
  };
}
