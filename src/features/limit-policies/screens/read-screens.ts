import type { BlockMessage } from '../../../core/slack/blocks/blocks.ts';
import { readOfferedTeams } from '../../../core/figures/groups/chosen-teams.ts';
import type { Markup } from '../../../core/base/text/markup.ts';
import { readLimitPeriod } from '../../../core/figures/limit-period.ts';
import { readStoreNow } from '../../../core/store/lease.ts';
import type { PolicyDeps } from '../policy-deps.ts';
import { isActor, type Actor } from '../../limits/core/access.ts';
import { completeActor } from '../../limits/rights/four-eyes.ts';
import { capPeriod } from '../rules/windows.ts';
import { isActingRules } from '../rules/policy-rules.ts';
import { isHeldBy } from '../manage/change-policy.ts';
import { readShownLimits } from '../../../core/platform/capabilities/shown-limit-store.ts';
import { readOnlyHere } from '../store/only-here.ts';
import { findPolicy, listPolicies, type StoredPolicy } from '../store/policy-store.ts';
import { readPolicyUsage } from '../store/policy-usage.ts';
import { listMessage, policyMessage, type ScreenFacts, type Viewer } from './policy-view.ts';

export async function readScreenFacts(deps: PolicyDeps): Promise<ScreenFacts> {
  const { db, config } = deps;
  const now = await readStoreNow(db);
  const period = await readLimitPeriod(deps);
  return {
    now,
    areOn: config.limitPolicies,
    onlyHere: await readOnlyHere(db),
    isShown: (await readShownLimits(db, [])) !== undefined,
    period,
    groups: await deps.people.teamsNow(),
    usage: await readPolicyUsage(db, now, capPeriod(now, period)),
  };
}

export async function readListMessage(deps: PolicyDeps, news?: Markup): Promise<BlockMessage> {
  const policies = (await listPolicies(deps.db)).filter(({ rules }) => isActingRules(rules));
  const names = new Map<string, string>();
  for (const { rules } of policies) {
    if (rules.subject.kind !== 'person') continue;
    const { slackId } = rules.subject;
    names.set(slackId, (await deps.people.describe(slackId))?.name ?? 'One person');
  }
  return listMessage(policies, await readScreenFacts(deps), names, news);
}

/** Undefined for an unknown or removed policy. */
export async function readPolicyMessage(
  deps: PolicyDeps,
  id: string,
  person: Actor,
  news?: Markup,
): Promise<BlockMessage | undefined> {
  const policy = await findPolicy(deps.db, id);
  if (!policy || (policy.state === 'removed' && !policy.held)) return undefined;
  return policyMessage(policy, await readScreenFacts(deps), await readViewer(deps, policy, person), news);
}

async function readViewer(deps: PolicyDeps, policy: StoredPolicy, person: Actor): Promise<Viewer> {
  const actor = await completeActor(deps, person);
  const { draftedBy } = policy;
  const drafter = await deps.people.describe(draftedBy);
  return {
    isOwnDraft: isActor({ slackId: draftedBy, email: drafter?.email }, actor),
    isOwnHold: await isHeldBy(deps, policy, actor),
    mayActAlone: actor.decidesAlone === true,
  };
}

/** What the form of a policy offers. */
export const readFormFacts = async (deps: PolicyDeps, showsAllFields: boolean) => ({
  teams: await readOfferedTeams(deps),
  timeZone: deps.config.timeZone,
  showsAllFields,
});
