import { formatAmount } from '../../../core/base/text/amounts.ts';
import { showsLimits } from '../../../core/platform/capabilities/capability.ts';
import type { LimitDeps } from './limits-deps.ts';

/** Which limits the platform takes. */
export interface AmountRule {
  minimum: number;
  isWhole: boolean;
}

export const ANY_AMOUNT: AmountRule = { minimum: 0, isWhole: false };

/** The smallest limit for everybody, as documented for platforms that show limits. */
const DOCUMENTED_MINIMUM = 1_000_000;

export async function readAmountRule({
  capabilities,
  config: { limitMinimum },
}: {
  capabilities: Pick<LimitDeps['capabilities'], 'limits'>;
  config: Pick<LimitDeps['config'], 'limitMinimum'>;
}): Promise<AmountRule> {
  const isShown = showsLimits(await capabilities.limits());
  return { minimum: limitMinimum ?? (isShown ? DOCUMENTED_MINIMUM : 0), isWhole: isShown };
}

/** @example amountProblem({ minimum: 1_000_000, isWhole: true }, 5) // 'The platform takes limits from 1,000,000 up.' */
export function amountProblem({ minimum, isWhole }: AmountRule, amount: number | undefined): string | undefined {
  if (amount === undefined) return undefined;
  if (amount < minimum) return `The platform takes limits from ${formatAmount(minimum)} up.`;
  return isWhole && !Number.isInteger(amount) ? 'The platform takes whole numbers only.' : undefined;
}
