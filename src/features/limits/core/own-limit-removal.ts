import { readShownLimits } from '../../../core/platform/capabilities/shown-limit-store.ts';
import { effectiveLimit, type ShownLimit } from '../../../core/platform/capabilities/shown-limit.ts';
import { markup, type Markup } from '../../../core/base/text/markup.ts';
import { formatAmount } from '../../../core/base/text/amounts.ts';
import type { LimitDatabase } from './limit-tables.ts';

/** What the platform shows of people without a limit of their own; undefined if it shows no limits. */
export async function readShownForEverybody(db: LimitDatabase): Promise<ShownLimit | undefined> {
  return (await readShownLimits(db, []))?.forEverybody;
}

/** Returns the limit in effect for people without one of their own; infinite if there is none, or it is not known. */
export async function readLimitForEverybody(db: LimitDatabase): Promise<number> {
  const shown = await readShownForEverybody(db);
  return (shown && effectiveLimit(shown)) ?? Infinity;
}

/** The amount that a decision is about: after a removal, the limit for everybody. */
export const amountAfter = (
  { amount, removes }: { amount: number; removes?: boolean | number | null | undefined },
  everybody: number,
): number => (removes ? everybody : amount);

/** Says what counts after own limits are removed. */
export const effectOfRemoval = (everybody: number): Markup =>
  everybody === Infinity
    ? markup`Without a limit of their own, nothing limits them: the platform shows no limit for everybody.`
    : markup`Without a limit of their own, the one for everybody counts: ${formatAmount(everybody)}.`;
