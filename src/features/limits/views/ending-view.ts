import { section, type BlockMessage } from '../../../core/slack/blocks/blocks.ts';
import { heading, messageOf, note, prose, type AnyParagraph } from '../../../core/slack/blocks/paragraphs.ts';
import type { Interaction } from '../../../core/slack/interactions/interactions.ts';
import { withRest, markup, readerTime, type Markup } from '../../../core/base/text/markup.ts';
import { countOf, formatCompact } from '../../../core/base/text/numbers.ts';
import { LONG_DAYS, readUse, usedInAll, type UseReading } from '../card/evidence.ts';
import { MAX_TIMES_USED } from '../card/quick-approval.ts';
import { emailsOf } from '../core/ledger.ts';
import { formatAmount } from '../../../core/base/text/amounts.ts';
import { showButton } from '../core/limit-buttons.ts';
import type { LimitDeps } from '../core/limits-deps.ts';
import { nameOf } from '../core/person-text.ts';
import { showsLimits } from '../../../core/platform/capabilities/capability.ts';
import { endingSoon, farAboveUse, readCurrentLimits, type LimitAboveUse, type CurrentLimit } from './ending-facts.ts';

const MAX_SHOWN = 10;
const TITLE = 'Limits to review';

export async function showEnding(deps: LimitDeps, { reply }: Interaction): Promise<void> {
  reply.progress('Reading what people used …');
  const now = deps.clock.now();
  const [limits, use] = await Promise.all([
    deps.capabilities.refreshLimits().then(() => readCurrentLimits(deps.db)),
    readUse(deps.days, now),
  ]);
  const isShown = showsLimits(await deps.capabilities.limits());
  const of = emailsOf(aboveOf(limits, use).slice(0, MAX_SHOWN));
  await reply.show({ ...endingMessage(limits, use, now, isShown), names: { what: 'limit_review', of } });
}

export function endingMessage(
  limits: readonly CurrentLimit[],
  use: UseReading,
  now: Date,
  isShown = false,
): BlockMessage {
  const ending = endingSoon(limits, now);
  return messageOf(
    heading(TITLE),
    ...listOf(
      markup`*Ending within 14 days*`,
      ending.map((limit) => [limit, endingLine(limit)] as const),
      markup`No limit ends within 14 days.`,
    ),
    ...useParagraphs(limits, use),
    note(
      isShown
        ? 'These are the people whose limits were set with Quartermaster.'
        : 'These are the limits set with Quartermaster. Limits set elsewhere can’t be read.',
    ),
  );
}

function aboveOf(limits: readonly CurrentLimit[], use: UseReading): LimitAboveUse[] {
  if (use.kind !== 'read') return [];
  return farAboveUse(limits, usedInAll(use, emailsOf(limits)).used);
}

function useParagraphs(limits: readonly CurrentLimit[], use: UseReading): AnyParagraph[] {
  if (use.kind === 'unreadable') return [prose(markup`⚠️ *What people used couldn’t be read.* ${use.sentence}`)];
  if (use.kind !== 'read') return [prose(markup`The platform hasn’t published what people used.`)];
  const days = Math.min(use.published.length, LONG_DAYS);
  const above = aboveOf(limits, use);
  const period = days === 1 ? 'in the last day' : `in the last ${countOf(days, 'day')}`;
  return listOf(
    markup`*More than ${MAX_TIMES_USED} times what they used* ${period}`,
    above.map((limit) => [limit, aboveLine(limit)] as const),
    markup`No limit is more than ${MAX_TIMES_USED} times what the person used ${period}.`,
  );
}

function listOf(
  title: Markup,
  rows: readonly (readonly [limit: CurrentLimit, line: Markup])[],
  none: Markup,
): AnyParagraph[] {
  if (rows.length === 0) return [prose(none)];
  const paragraphs = rows.map(([{ requestId }, line]): AnyParagraph => {
    return { blocks: [section(line, showButton(requestId))], lines: [line] };
  });
  return [
    prose(title),
    ...withRest(paragraphs, MAX_SHOWN, (remaining) => prose(markup`and ${formatAmount(remaining)} more`)),
  ];
}

const who = ({ slackId, email }: CurrentLimit) => nameOf({ slackId, email });

function endingLine(limit: CurrentLimit & { until: Date }): Markup {
  const then = limit.returnTo === null ? markup`` : markup`, then back to ${formatAmount(limit.returnTo)}`;
  return markup`${who(limit)}: *${formatAmount(limit.value)}* until ${readerTime(limit.until)}${then}`;
}

function aboveLine(limit: LimitAboveUse): Markup {
  const used = limit.used > 0 ? `used ${formatCompact(limit.used)}` : 'used nothing';
  return markup`${who(limit)}: *${formatAmount(limit.value)}*, ${used}`;
}
