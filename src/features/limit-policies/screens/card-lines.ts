import type { PolicyOnCard } from '../../limits/core/request-policies.ts';
import { formatShortAmount } from '../../../core/base/text/amounts.ts';
import { markup, mention, type Markup } from '../../../core/base/text/markup.ts';
import { formatDay } from '../../../core/base/time/calendar.ts';
import { readLimitPeriod } from '../../../core/figures/limit-period.ts';
import { limitOf } from '../../limits/core/ledger.ts';
import { peopleOf } from '../../limits/core/requests.ts';
import { isWaiting } from '../../limits/core/states.ts';
import { readTeams } from '../live/decide-request.ts';
import type { PolicyDeps } from '../policy-deps.ts';
import { poolAtRequest } from '../rules/decide-team.ts';
import type { TeamPolicy } from '../rules/policy-rules.ts';
import { listAgreed } from '../store/agreements.ts';
import type { PolicyDecisionRow } from '../store/policy-tables.ts';
import type { LimitRequest } from '../../limits/core/limit-tables.ts';
import { readShownLimits } from '../../../core/platform/capabilities/shown-limit-store.ts';
import { readOnlyHere, type OnlyHere } from '../store/only-here.ts';
import { dryRunOf, findDecision } from '../store/policy-decisions.ts';
import { reasonWords } from '../store/policy-words.ts';

export async function readPolicyOnCard(
  deps: Pick<PolicyDeps, 'db' | 'clock' | 'config'>,
  request: Pick<LimitRequest, 'id' | 'kind' | 'state' | 'policyId' | 'until'>,
): Promise<PolicyOnCard> {
  const { db } = deps;
  const isShown = (await readShownLimits(db, [])) !== undefined;
  const decision = await findDecision(db, request.id);
  const onCard = policyOnCard(decision, request, isShown ? 'shown' : await readOnlyHere(db));
  const team = decision && isWaiting(request) ? await readTeamLines(deps, decision) : [];
  return { ...onCard, lines: [...team, ...onCard.lines] };
}

/** What the pool of the team has left, for whoever decides. */
async function readTeamLines(
  deps: Pick<PolicyDeps, 'db' | 'clock' | 'config'>,
  { requestId, policyId, email }: PolicyDecisionRow,
): Promise<Markup[]> {
  const { db, clock } = deps;
  const now = clock.now();
  const { inForce } = await listAgreed(db, now);
  const { teams, charges } = await readTeams(db, inForce);
  const team = teams.find(({ id }) => id === policyId);
  const period = team && (await readLimitPeriod(deps));
  if (!period) return [];
  const row = (await peopleOf(db, requestId, 1)).at(0);
  if (!row) return [];
  const about = { email, limit: await limitOf(db, email), amount: row.approvedValue ?? row.toValue };
  return [poolLine(team, poolAtRequest(team, { now, charges, period }, about))];
}

/** @example 'Pool of @web-team until Nov 30: 6M of 10M granted. This asks for 2M more and leaves 2M.' */
function poolLine(
  { rules }: TeamPolicy,
  { period, credits, charged, asked, left, isFirst }: ReturnType<typeof poolAtRequest>,
): Markup {
  const end = isFirst ? markup`` : markup` If a lead approves it, it ends then.`;
  if (credits === Infinity)
    return markup`👥 @${rules.subject.handle} until ${formatDay(period.last)}: ${formatShortAmount(charged)} granted by its leads, without a pool. This asks for ${formatShortAmount(asked)} more.${end}`;
  const head = markup`👥 Pool of @${rules.subject.handle} until ${formatDay(period.last)}: ${formatShortAmount(charged)} of ${formatShortAmount(credits)} granted.`;
  return left < 0
    ? markup`${head} This asks for ${formatShortAmount(asked)} more, *${formatShortAmount(-left)} too much*.`
    : markup`${head} This asks for ${formatShortAmount(asked)} more and leaves ${formatShortAmount(left)}.${end}`;
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
    // The pool says more.
    case 'lead':
      return [];
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
