import { hasSameWeekdays } from '../analytics/comparison.ts';
import type { Naming } from '../slack/people/audience.ts';
import { formatDay, formatPeriod, type Period } from '../base/calendar.ts';
import { markup, type Markup } from '../base/markup.ts';
import { countOf, formatNumber } from '../base/numbers.ts';
import type { DayState } from '../analytics/day-state.ts';
import type { Figure, Known, ReportScope } from './measures/figures.ts';

const SAME = 'about the same';

/** Below this, a percentage says more than is known: from 1 to 5 is no "up 400%". */
const SMALL_COUNT = 20;

/**
 * A part that was smaller than this part of all is a crumb: that it tripled would stand beside changes that matter and look larger.
 * A thousandth is below what a share shows as 1%, with room for what grows.
 */
const SMALL_PART = 0.001;

/**
 * How a figure moved, in words: an arrow alone says nothing to those who hear it.
 *
 * @param all what the figure is a part of, if it is one
 */
export function changeWords({ value, before }: Figure, all = 0): string {
  if (before === undefined) return '';
  if (before >= Math.max(SMALL_COUNT, all * SMALL_PART)) return percentWords(value, before);
  if (value === before) return 'same';
  return `${value > before ? 'up' : 'down'} from ${formatNumber(before)}`;
}

function percentWords(value: number, before: number): string {
  const percent = Math.round(Math.abs(value / before - 1) * 100);
  if (percent === 0) return SAME;
  if (percent === 100 && value > 0 && value < before) return 'down more than 99%';
  return `${value > before ? 'up' : 'down'} ${formatNumber(percent)}%`;
}

/** @example figureWords({ kind: 'known', value: { value: 12, before: 10 } }) // '12 (up 20%)' */
export function figureWords(known: Known<Figure>): string {
  if (known.kind === 'unreadable') return 'could not be read';
  if (known.kind === 'unpublished') return 'not published yet';
  const change = changeWords(known.value);
  return change === '' ? formatNumber(known.value.value) : `${formatNumber(known.value.value)} (${change})`;
}

/** The number in bold, how it moved beside it; what it is may stand between: `*12* edited  up 20%`. */
export function valueMarkup(known: Known<Figure>, noun = ''): Markup {
  if (known.kind !== 'known') return markup`_${figureWords(known)}_`;
  const words = [noun, changeWords(known.value)].filter((word) => word !== '').join(', ');
  return markup`*${formatNumber(known.value.value)}* ${words}`;
}

const STATE_WORDS: Record<DayState, string> = {
  open: 'not over yet',
  unpublished: 'not published',
  fresh: 'may still change',
  settled: 'settled',
};

/** @example dayCell({ day, state: 'unpublished' }) // 'not published' */
export function dayStateWords(state: DayState): string {
  return STATE_WORDS[state];
}

/** How many days are in which state, such as `5 days settled, 2 may still change`. */
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

/** @example personName({ email: undefined, userId: 'u7', … }, naming) // 'unknown e-mail (u7)' */
export function personName(person: { email: string | undefined; userId: string }, _naming: Naming): string {
  return person.email ?? `unknown e-mail (${person.userId})`;
}

/** @example creditsHeadline({ kind: 'known', value: { value: 1200, before: 1000 } }, scope) // '1,200 Standard Credits, up 20% from 1,000 in …' */
export function creditsHeadline(
  credits: Known<Figure>,
  { period, comparedWith }: Pick<ReportScope, 'period' | 'comparedWith'>,
): string {
  if (credits.kind === 'unreadable') return 'The Standard Credits could not be read';
  if (credits.kind === 'unpublished') return 'The Standard Credits are not published yet';
  const amount = `${formatNumber(credits.value.value)} Standard Credits`;
  if (credits.value.before === undefined || !comparedWith) return amount;
  const change = comparisonWords(credits.value.value, credits.value.before);
  const adjusted = hasSameWeekdays(period, comparedWith) ? '' : ', allowing for weekdays';
  return `${amount}, ${change} ${onOrIn(comparedWith)}${adjusted}`;
}

function comparisonWords(value: number, before: number): string {
  if (before === 0) return value === 0 ? 'none either' : 'up from none';
  if (before < SMALL_COUNT) {
    if (value === before) return `the same as ${formatNumber(before)}`;
    return `${value > before ? 'up' : 'down'} from ${formatNumber(before)}`;
  }
  const change = percentWords(value, before);
  return change === SAME ? `${SAME} as ${formatNumber(before)}` : `${change} from ${formatNumber(before)}`;
}

function onOrIn(period: Period): string {
  return period.first === period.last ? `on ${formatDay(period.first)}` : `in ${formatPeriod(period)}`;
}
