import { askForms } from './ask/request-limit-handlers.ts';
import { importForms } from './import/import-limits-handlers.ts';
import { questionForms } from './question/question-handlers.ts';
import { cardMessages } from './card/write-request-cards.ts';
import { statusMessages } from './card/status-message.ts';
import { changesMessages } from './drift/write-limit-changes.ts';
import { questionMessages } from './question/question-messages.ts';
import type { Feature } from '../../core/feature.ts';
import { approversSubmission } from './approvers/approvers-handlers.ts';
import { giveForm } from './approvers/give-request.ts';
import { type Applier, createApplier } from './apply/applier.ts';
import { createCardTarget } from './card/card-target.ts';
import { readLimitPeriod } from '../../core/figures/limit-period.ts';
import { createMonthlyUse } from './core/monthly-use.ts';
import { limitActions } from './actions.ts';
import { limitJobs } from './jobs.ts';
import { readLimitsCommand } from './limit-handlers.ts';
import { createTimeline, limitsSection } from './views/limits-digest-section.ts';
import { limitBelongings } from './views/belongings.ts';
import { homeBlocks, readAttention } from './views/request-list.ts';
import { declareForm } from './declare/declare-handlers.ts';
import { withLimits } from './core/limit-tables.ts';
import type { CardTarget } from './core/notify.ts';
import type { RequestPolicies } from './core/request-policies.ts';
import type { LimitDeps } from './core/limits-deps.ts';
import { createKnownEmails } from './core/known-emails.ts';
import { denyForm } from './decide/deny.ts';
import { reviewForm } from './decide/decide-request-handlers.ts';
import { LIMITS_HELP } from './limits-command.ts';
import type { Database } from '../../core/store/tables.ts';

/** Before all other sections, because a requester is waiting. */
const HOME_ORDER = 5;

/** What the feature of policies uses of this one. */
export interface LimitsParts {
  deps: LimitDeps;
  sending: { cardTarget: () => Promise<CardTarget>; apply: Applier['apply'] };
}

/** @param createPolicies decides about requests by policies */
export function createLimitsFeature(
  services: Omit<LimitDeps, 'db' | 'knownEmails' | 'readMonthlyUse' | 'policies'> & { db: Database },
  createPolicies: (deps: Omit<LimitDeps, 'policies'>) => RequestPolicies,
): { feature: Feature; parts: LimitsParts } {
  const withoutPolicies = {
    ...services,
    db: withLimits(services.db),
    knownEmails: createKnownEmails(services),
    readMonthlyUse: createMonthlyUse({ ...services, readLimitPeriod: () => readLimitPeriod(services) }),
  };
  const deps: LimitDeps = { ...withoutPolicies, policies: createPolicies(withoutPolicies) };
  const cardTarget = createCardTarget(deps);
  const applier = createApplier(deps, cardTarget);
  const sending: LimitsParts['sending'] = { cardTarget, apply: (request) => applier.apply(request) };
  const feature: Feature = {
    name: 'limits',
    commands: [{ help: LIMITS_HELP, role: 'member', read: (words, now) => readLimitsCommand(deps, words, now) }],
    actions: limitActions(deps, applier),
    forms: [
      ...askForms(deps, sending),
      ...importForms(deps, sending),
      declareForm(deps),
      approversSubmission(deps),
      giveForm(deps),
      ...questionForms(deps),
      reviewForm(deps, applier),
      denyForm(deps),
    ],
    jobs: limitJobs(deps, { applier, cardTarget }),
    digestSections: [limitsSection(deps)],
    homeSections: [{ order: HOME_ORDER, role: 'member', read: (person) => homeBlocks(deps, person) }],
    attention: [{ role: 'admin', read: (person) => readAttention(deps, person) }],
    belongingsOf: limitBelongings(deps),
    timeline: createTimeline(deps),
    messages: [...cardMessages(deps), ...statusMessages(deps), ...questionMessages(deps), ...changesMessages(deps)],
    stop: () => applier.stop(),
  };
  return { feature, parts: { deps, sending } };
}
