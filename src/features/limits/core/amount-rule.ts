import { AMOUNT_RULE, formatAmount, readAmount } from '../../../core/base/text/amounts.ts';
import { hasRole } from '../../../core/base/roles.ts';
import { showsLimits, type Capability } from '../../../core/platform/capabilities/capability.ts';
import type { Person } from '../../../core/slack/people/people.ts';
import type { LimitDeps } from './limits-deps.ts';

/** Which limits the platform takes. */
export interface AmountRule {
  minimum: number;
  isWhole: boolean;
}

/** What somebody may type for a limit. */
export interface LimitRule extends AmountRule {
  /** Why `none` is refused; undefined if they can request that an own limit is removed. */
  whyNoRemoval: string | undefined;
}

export const ANY_AMOUNT: LimitRule = { minimum: 0, isWhole: false, whyNoRemoval: AMOUNT_RULE };

/** What people type, and lists have, for no limit of a person's own. */
export const NO_OWN_LIMIT = 'none';

export type TypedLimit =
  /** `removes`: their own limit is removed; the amount is then 0 and never sent. */
  | { amount: number; removes: boolean; problem?: undefined }
  | { amount?: undefined; removes?: undefined; problem: string };

/** @example readLimit('none') // { amount: 0, removes: true } */
export function readLimit(text: string): TypedLimit {
  if (text.trim().toLowerCase() === NO_OWN_LIMIT) return { amount: 0, removes: true };
  const { amount, problem } = readAmount(text);
  return amount === undefined ? { problem } : { amount, removes: false };
}

const NOT_SHOWN = `The platform doesn’t show limits here, so “${NO_OWN_LIMIT}” can’t be set. Type an amount.`;
const NOT_SHOWN_NOW = `The platform doesn’t show its limits now, so “${NO_OWN_LIMIT}” can’t be set. Type an amount, or try again later.`;
const ADMINS_ONLY = `Only admins can request “${NO_OWN_LIMIT}”. Type an amount.`;

function whyNoRemoval(capability: Capability | undefined, role: Person['role']): string | undefined {
  if (!showsLimits(capability)) return NOT_SHOWN;
  if (capability?.state !== 'reads') return NOT_SHOWN_NOW;
  return hasRole(role, 'admin') ? undefined : ADMINS_ONLY;
}

/** The smallest limit for everybody, as documented for platforms that show limits. */
const DOCUMENTED_MINIMUM = 1_000_000;

interface RuleDeps {
  capabilities: Pick<LimitDeps['capabilities'], 'limits'>;
  config: Pick<LimitDeps['config'], 'limitMinimum'>;
}

export const readAmountRule = async ({ capabilities, config }: RuleDeps): Promise<AmountRule> =>
  amountRuleOf(await capabilities.limits(), config);

/** @param role of the person who types the limit */
export async function readLimitRule({ capabilities, config }: RuleDeps, role: Person['role']): Promise<LimitRule> {
  const capability = await capabilities.limits();
  return { ...amountRuleOf(capability, config), whyNoRemoval: whyNoRemoval(capability, role) };
}

function amountRuleOf(capability: Capability | undefined, { limitMinimum }: RuleDeps['config']): AmountRule {
  const isShown = showsLimits(capability);
  return { minimum: limitMinimum ?? (isShown ? DOCUMENTED_MINIMUM : 0), isWhole: isShown };
}

export const limitProblem = (rule: LimitRule, { amount, removes }: TypedLimit): string | undefined =>
  removes ? rule.whyNoRemoval : amountProblem(rule, amount);

/** @example amountProblem({ minimum: 1_000_000, isWhole: true }, 5) // 'The platform takes limits from 1,000,000 up.' */
export function amountProblem({ minimum, isWhole }: AmountRule, amount: number | undefined): string | undefined {
  if (amount === undefined) return undefined;
  if (amount < minimum) return `The platform takes limits from ${formatAmount(minimum)} up.`;
  return isWhole && !Number.isInteger(amount) ? 'The platform takes whole numbers only.' : undefined;
}
