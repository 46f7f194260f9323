import {
  effectiveLimit,
  shownOfText,
  textOfShown,
  type ShownLimit,
} from '../../../core/platform/capabilities/shown-limit.ts';
import { formatAmount } from '../../../core/base/text/amounts.ts';
import type { LimitRequest } from '../core/limit-tables.ts';
import { isFollowUp } from '../core/limit-tables.ts';
import { shownWords } from '../core/person-text.ts';
import type { BatchEntry } from './batches.ts';

export type SendingCheck = { kind: 'send' | 'is_set' } | { kind: 'hold'; sentence: string };

/** Whether the platform shows the limit that was sent. */
export const isInForce = ({ value, removes }: Pick<BatchEntry, 'value' | 'removes'>, shown: ShownLimit): boolean =>
  removes ? shown.kind === 'everybody' || shown.kind === 'unlimited' : shown.kind === 'own' && shown.value === value;

/**
 * Decides right before a limit is sent, from what the platform shows now. A limit is lowered only if the person who
 * approved it saw the limit in force. The end of a raise and an undo replace only what was set here. After a lost
 * answer, the limit shows whether it was set. In all other cases a person decides. Pure.
 */
export function checkSending(request: Pick<LimitRequest, 'kind'>, entry: BatchEntry, shown: ShownLimit): SendingCheck {
  const { value, removes, isUnsure } = entry;
  if (isInForce(entry, shown)) return { kind: isUnsure ? 'is_set' : 'send' };
  const seen = entry.shownBefore === null ? undefined : shownOfText(entry.shownBefore);
  if (shown.kind !== 'unclear' && seen && textOfShown(seen) === textOfShown(shown)) return { kind: 'send' };
  const isStrict = isFollowUp(request) || (isUnsure && seen !== undefined) || removes;
  const inForce = effectiveLimit(shown);
  if (!isStrict && inForce !== undefined && inForce <= value) return { kind: 'send' };
  const before = seen ? `, not ${shownWords(seen)}` : '';
  const target = removes ? 'to remove it' : `to set ${formatAmount(value)}`;
  return { kind: 'hold', sentence: `The platform now shows ${shownWords(shown)}${before}. Retry ${target} anyway.` };
}
