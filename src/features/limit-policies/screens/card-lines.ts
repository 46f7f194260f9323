import type { PolicyOnCard } from '../../limits/core/request-policies.ts';
import { markup, mention, type Markup } from '../../../core/base/text/markup.ts';
import type { PolicyDatabase, PolicyDecisionRow } from '../store/policy-tables.ts';
import type { LimitRequest } from '../../limits/core/limit-tables.ts';
import { readShownLimits } from '../../../core/platform/capabilities/shown-limit-store.ts';
import { readOnlyHere, type OnlyHere } from '../store/only-here.ts';
import { dryRunOf, findDecision } from '../store/policy-decisions.ts';
import { reasonWords } from '../store/policy-words.ts';

export async function readPolicyOnCard(
  db: PolicyDatabase,
  request: Pick<LimitRequest, 'id' | 'kind' | 'state' | 'policyId' | 'until'>,
): Promise<PolicyOnCard> {
  const isShown = (await readShownLimits(db, [])) !== undefined;
  return policyOnCard(await findDecision(db, request.id), request, isShown ? 'shown' : await readOnlyHere(db));
}

export function policyOnCard(
  decision: PolicyDecisionRow | undefined,
  { kind, state, policyId, until }: Pick<LimitRequest, 'kind' | 'state' | 'policyId' | 'until'>,
  onlyHere: OnlyHere | 'shown' | undefined,
): PolicyOnCard {
  const isShown = onlyHere === 'shown';
  const note = isShown ? undefined : onlyHere && markup`Limits are set only here, as ${mention(onlyHere.by)} declared.`;
  if (!decision || policyId !== null || state !== 'pending') return { lines: [], isPrepared: false, note };
  return {
    lines: [
      ...decisionLines(decision, { isPermanent: kind === 'ask' && until === null, isShown }),
      ...dryRunLines(decision),
    ],
    isPrepared: decision.outcome === 'prepare',
    note,
  };
}

const whyPrepared = (isShown: boolean): string =>
  isShown
    ? 'it would not raise the limit in force, or the platform did not show that limit'
    : 'limits may also be set elsewhere';

/** @param isPermanent a raise without an end, which a policy would end with the period */
function decisionLines(
  { outcome, reason, policyName, policyVersion }: PolicyDecisionRow,
  { isPermanent, isShown }: { isPermanent: boolean; isShown: boolean },
): Markup[] {
  if (policyName === null) return [];
  const policy = markup`policy “${policyName}” (version ${policyVersion ?? 0})`;
  switch (outcome) {
    case 'prepare':
      return [
        isPermanent
          ? markup`🤖 The ${policy} would grant this until the period of limits ends. It only prepares it, because ${whyPrepared(isShown)}. If you approve it, it has no end.`
          : markup`🤖 The ${policy} would grant this. It only prepares it, because ${whyPrepared(isShown)}.`,
      ];
    case 'grant':
      return [markup`🤖 The ${policy} granted this, but was stopped before it was sent. A person decides.`];
    case 'person':
      return [markup`🤖 The ${policy} leaves this to a person: ${reasonWords(reason)}.`];
    default:
      return outcome satisfies never;
  }
}

function dryRunLines(decision: PolicyDecisionRow): Markup[] {
  const dryRun = dryRunOf(decision);
  if (!dryRun) return [];
  const policy = markup`🧪 Dry run of “${dryRun.name}” (version ${dryRun.version})`;
  switch (dryRun.outcome) {
    case 'grant':
      return [markup`${policy}: it would have granted this.`];
    case 'prepare':
      return [markup`${policy}: it would have prepared this for one click.`];
    case 'person':
      return [markup`${policy}: it would have left this to a person, because ${reasonWords(dryRun.reason)}.`];
    default:
      return dryRun.outcome satisfies never;
  }
}
