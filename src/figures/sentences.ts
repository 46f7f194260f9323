import type { NamingPermission } from '../slack/people/audience.ts';
import { formatDay, formatPeriod, weekdayName, type Period, type Day } from '../base/time/calendar.ts';
import { markup, type Markup } from '../base/text/markup.ts';
import { countOf, formatCompact, formatNumber } from '../base/text/numbers.ts';
import type { DayState } from '../analytics/day-state.ts';
import { placeIn, rangeWords, type UsualRange } from './insight/unusual.ts';
import type { Figure, Known, ReportScope } from './measures/figures.ts';

export const NO_EMAIL = 'Slack shows no e-mail for you, and the platform knows people by e-mail.';

const SAME = 'about the same';

/** Above this, the earlier amount says more than a percentage. */
const MAX_PERCENT = 200;

/** Below this, a percentage suggests more than is known: from 1 to 5 is no "up 400%". */
const SMALL_COUNT = 20;

/**
 * A part below this share of the whole gets no percentage: a tripled crumb would look larger than changes that matter.
 * A thousandth is below what a share shows as 1%, with room for growth.
 */
const SMALL_PART = 0.001;

/**
 * Describes a change in words: a screen reader cannot convey arrows. @param all the whole that the figure is part of
 */
export function changeWords({ value, before, was = before }: Figure, all = 0): string {
  if (before === undefined || was === undefined || (value === 0 && before === 0)) return '';
  if (before >= Math.max(SMALL_COUNT, all * SMALL_PART)) return percentWords(value, before) ?? wasWords(was);
  return value === was ? 'same' : wasWords(was);
}

const wasWords = (before: number) => `was ${before === 0 ? 'none' : formatCompact(before)}`;

/** undefined if the two amounts say more than a percentage. */
function percentWords(value: number, before: number): string | undefined {
  const percent = Math.round(Math.abs(value / before - 1) * 100);
  if (percent > MAX_PERCENT) return undefined;
  if (percent === 0) return SAME;
  if (percent === 100 && value > 0 && value < before) return 'down more than 99%';
  return `${value > before ? 'up' : 'down'} ${formatNumber(percent)}%`;
}

/** @example figureWords({ kind: 'known', value: { value: 12, before: 10 } }) // '12 (up 20%)' */
export function figureWords(figure: Known<Figure>): string {
  if (figure.kind === 'unreadable') return 'could not be read';
  if (figure.kind === 'unpublished') return 'not published yet';
  const change = changeWords(figure.value);
  const amount = formatCompact(figure.value.value);
  return change === '' ? amount : `${amount} (${change})`;
}

/** @example compactCount(1523, 'commit') // '1.52 K commits' */
export function compactCount(count: number, noun: string, plural = `${noun}s`): string {
  return `${formatCompact(count)} ${count === 1 ? noun : plural}`;
}

/** Prints the number in bold, then the noun and the change: `*12* edited, up 20%`. */
export function valueMarkup(figure: Known<Figure>, noun = ''): Markup {
  if (figure.kind !== 'known') return markup`_${figureWords(figure)}_`;
  const words = [noun, changeWords(figure.value)].filter((word) => word !== '').join(', ');
  return markup`*${formatCompact(figure.value.value)}* ${words}`;
}

export const STATE_WORDS: Record<DayState, string> = {
  open: 'not over yet',
  unpublished: 'not published',
  fresh: 'may still change',
  settled: 'settled',
};

/** Counts days by state, such as `5 days settled, 2 may still change`. */
export function stateSummary(days: readonly { state: DayState }[]): string {
  const order: readonly DayState[] = ['settled', 'fresh', 'unpublished', 'open'];
  const counts = order.map((state) => [state, days.filter((day) => day.state === state).length] as const);
  return counts
    .filter(([, count]) => count > 0)
    .map(
      ([state, count], index) => `${index === 0 ? countOf(count, 'day') : formatNumber(count)} ${STATE_WORDS[state]}`,
    )
    .join(', ');
}

/**
 * Returns the name in the workspace, or the e-mail. @example personName({ userId: 'u7', … }, naming) // 'unknown e-mail
 * (u7)'
 */
export function personName(
  person: { name?: string | undefined; email: string | undefined; userId: string },
  _naming: NamingPermission,
): string {
  return person.name ?? person.email ?? `unknown e-mail (${person.userId})`;
}

/** @example creditsHeadline({ kind: 'known', value: { value: 1200, before: 1000 } }, scope) // '1.2 K Standard Credits, up 20% from 1 K in …' */
export function creditsHeadline(
  credits: Known<Figure>,
  { period, comparedWith, usual }: Pick<ReportScope, 'period' | 'comparedWith' | 'usual'>,
): string {
  if (credits.kind === 'unreadable') return 'The Standard Credits could not be read';
  if (credits.kind === 'unpublished') return 'The Standard Credits are not published yet';
  const { value, before } = credits.value;
  const amount = creditsAmount(value);
  if (usual) return `${amount}, ${usualWords(usual, value, period.first)}`;
  if (before === undefined || !comparedWith) return amount;
  if (value === 0 && before === 0) return `${amount}, nor ${onOrIn(comparedWith)}`;
  return `${amount}, ${comparisonWords(credits.value, before)} ${onOrIn(comparedWith)}`;
}

const creditsAmount = (value: number) => (value === 0 ? 'No credits used' : `${usedAmount(value)} Standard Credits`);

/** A positive amount can be too small for its first digit, because the platform counts decimals: it is not zero. */
export function usedAmount(value: number): string {
  const amount = formatCompact(value);
  return amount === '0' ? 'Less than 0.1' : amount;
}

/** @example usualWords(range, 420_000, day) // 'above the usual 120–340 K for a Saturday' */
export function usualWords(range: UsualRange, value: number, day: Day): string {
  return `${placeIn(range, value)} the usual ${rangeWords(range)} for a ${weekdayName(day)}`;
}

/** Shows the amounts that were used; only a percentage is adjusted for weekdays, and says so. */
function comparisonWords({ value, was }: Figure, before: number): string {
  if (was !== undefined) return adjustedWords(value, before, was);
  if (before === 0) return 'up from none';
  if (value === before) return `the same as ${formatCompact(before)}`;
  const change = before < SMALL_COUNT ? undefined : percentWords(value, before);
  if (change === undefined) return plainWords(value, before);
  return change === SAME ? `${SAME} as ${formatCompact(before)}` : `${change} from ${formatCompact(before)}`;
}

/** @example adjustedWords(29_300_000, 31_700_000, 31_200_000) // 'down 8% adjusted for weekdays; it was 31.2 M' */
export function adjustedWords(value: number, before: number, was: number): string {
  const change = before < SMALL_COUNT ? undefined : percentWords(value, before);
  return change === undefined ? plainWords(value, was) : `${change} ${ADJUSTED}; it was ${formatCompact(was)}`;
}

export const ADJUSTED = 'adjusted for weekdays';

function plainWords(value: number, was: number): string {
  if (value === was) return `the same as ${formatCompact(was)}`;
  return `${value > was ? 'up' : 'down'} from ${was === 0 ? 'none' : formatCompact(was)}`;
}

export function onOrIn(period: Period): string {
  return period.first === period.last ? `on ${formatDay(period.first)}` : `in ${formatPeriod(period)}`;
}
