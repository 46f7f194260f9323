import { calendarPart, mondayOf, plusDays, weekdayOf, type Day } from '../../../../core/base/time/calendar.ts';
import { DAY_NAMES, MONTH_NAMES, rangeTo } from '../../../../core/base/time/read-period.ts';
import { FIRST_ANALYTICS_DAY } from '../../../../core/platform/endpoints/analytics-range.ts';
import { dateOf, spellDays } from './date-words.ts';

/** What a phrase means: the words of the commands, several meanings, or days that are still to come. */
export type PeriodMeaning =
  | { kind: 'days'; words: string }
  | { kind: 'unclear'; options: readonly string[] }
  | { kind: 'future' };

interface PeriodPhrase {
  pattern: RegExp;
  read: (groups: readonly (string | undefined)[], today: Day) => PeriodMeaning | undefined;
}

const M = `(${MONTH_NAMES.join('|')})`;
const W = `(${DAY_NAMES.join('|')})`;
const N = String.raw`(\d{1,4})`;
const D = String.raw`(\d{1,2})(?:st|nd|rd|th)?`;
const Y = String.raw`(20\d\d)`;
const ISO = String.raw`(\d{4}-\d{2}-\d{2})`;
const DATE = `(?:${ISO}|${M} (?:the )?${D}(?: ${Y})?|(?:${W} )?${D} (?:of )?${M}(?: ${Y})?)`;
const GROUPS_OF_DATE = 8;
const OPEN = '(?:(?:to|up to) (?:now|today|date)|onwards?|on|so far)';

const days = (words: string): PeriodMeaning => ({ kind: 'days', words });
const unclear = (...options: string[]): PeriodMeaning => ({ kind: 'unclear', options });
const FUTURE: PeriodMeaning = { kind: 'future' };

function dateIn(groups: readonly (string | undefined)[], at: number, today: Day): Day | undefined {
  const [iso, monthA, dayA, yearA, , dayB, monthB, yearB] = groups.slice(at, at + GROUPS_OF_DATE);
  if (iso !== undefined) return iso;
  const month = MONTH_NAMES.indexOf(monthA ?? monthB ?? '');
  return month < 0 ? undefined : dateOf(Number(dayA ?? dayB), month, yearA ?? yearB, today);
}

function range(first: Day | undefined, last: Day | undefined, today: Day): PeriodMeaning | undefined {
  if (first === undefined || last === undefined) return undefined;
  if (first >= today) return FUTURE;
  if (first > last) return unclear(spellDays({ first: last, last: first }, today));
  return last > today
    ? unclear(`since ${spellDays({ first, last: first }, today)}`)
    : days(spellDays({ first, last }, today));
}

function month(name: string, year: string | undefined, today: Day): PeriodMeaning {
  const index = MONTH_NAMES.indexOf(name);
  if (year !== undefined) return days(`${name} ${year}`);
  // A month ahead could be the last one of this name, or the next one.
  return index + 1 > Number(today.slice(5, 7))
    ? FUTURE
    : days(index + 1 === Number(today.slice(5, 7)) ? 'this month' : name);
}

const latest = (weekday: string, before: Day): Day => {
  const back = (weekdayOf(before) - DAY_NAMES.indexOf(weekday) + 7) % 7 || 7;
  return plusDays(before, -back);
};

function weekdays(one: string, other: string, today: Day): PeriodMeaning | undefined {
  const last = latest(other, today);
  return range(plusDays(latest(one, plusDays(last, 1)), 0), last, today);
}

const half = (which: string, name: string, today: Day) => {
  const first = dateOf(1, MONTH_NAMES.indexOf(name), undefined, today);
  if (first === undefined) return undefined;
  const { last } = calendarPart(first, 'month');
  const middle = `${first.slice(0, 8)}15`;
  return which === '1st' ? range(first, middle, today) : range(plusDays(middle, 1), last, today);
};

function thisWeek(today: Day): PeriodMeaning {
  // On a Monday no day of this week has figures.
  return mondayOf(today) === today ? unclear('this week', 'last week', '7d') : days('this week');
}

const since = (first: Day | undefined, today: Day): PeriodMeaning | undefined => {
  if (first === undefined) return undefined;
  return first >= today ? FUTURE : days(`since ${spellDays({ first, last: first }, today)}`);
};

const phrase = (pattern: string, read: PeriodPhrase['read']): PeriodPhrase => ({
  pattern: new RegExp(`^(?:${pattern})(?= |$)`),
  read,
});

const SPAN = '(?:in |on |for |during |over |within |across |of |from )*';

export const PERIOD_PHRASES: readonly PeriodPhrase[] = [
  phrase('yesterday', () => days('yesterday')),
  phrase('day before yesterday|2 day ago', (_, today) =>
    days(spellDays({ first: plusDays(today, -2), last: plusDays(today, -2) }, today)),
  ),
  phrase('(?:so far )?today(?: so far)?|this (?:morning|afternoon|evening)', () => unclear('yesterday')),
  phrase('(?:so far )?this week(?: so far)?|wtd|week to date', (_, today) => thisWeek(today)),
  phrase('(?:all (?:of )?)?last week|week just gone', () => days('last week')),
  phrase('week before last(?: week)?', (_, today) => {
    const monday = plusDays(mondayOf(today), -14);
    return range(monday, plusDays(monday, 6), today);
  }),
  phrase('month before last(?: month)?', (_, today) => days(spellDays(calendarPart(today, 'month', -2), today))),
  phrase(
    '(?:all (?:of )?|so far )?this month(?: so far)?|mtd|month to date|month so far|since (?:start of |1st of )?this month(?: started)?|since (?:start of )?month(?: started)?',
    () => days('this month'),
  ),
  phrase('(?:all (?:of )?|whole (?:of )?|full )?last (?:calendar |full )?month', () => days('last month')),
  phrase(
    '(?:so far )?this quarter(?: so far)?|qtd|quarter to date|quarter so far|since (?:start of )(?:this )?quarter',
    () => days('this quarter'),
  ),
  phrase('last quarter', () => days('last quarter')),
  phrase(
    '(?:so far |all (?:of )?)?this year(?: so far)?|ytd|year to date|year so far|all year|since (?:new year|new years|start of (?:this )?year)',
    () => days('this year'),
  ),
  phrase('last year', () => days('last year')),
  phrase(`${SPAN}last ${N} ?(?:day|d)|${N} day back|${N} day|${N}d`, ([a, b, c, d]) => days(`${a ?? b ?? c ?? d}d`)),
  phrase(`last ${N} ?(?:week|w)|${N} week|${N}w`, ([a, b, c]) => days(`${a ?? b ?? c}w`)),
  phrase('last (?:couple|couple of|2 or 3)? ?week or (?:2|so)', () => unclear('7d', '2w')),
  phrase('last couple (?:of )?week|last fortnight|fortnight|couple of week', () => days('2w')),
  phrase('last couple (?:of )?day', () => days('2d')),
  phrase('last (?:few|several) day', () => unclear('3d', '7d')),
  phrase('last (?:few|several) week', () => unclear('3w', '28d')),
  phrase('last (?:few|several|couple of|couple) month', () => unclear('60d', '90d', 'last quarter')),
  phrase(`last ${N} month|${N} month`, ([a, b], today) => {
    const count = Number(a ?? b);
    if (count < 1 || count > 24) return undefined;
    const first = calendarPart(today, 'month', -count).first;
    return unclear(`${count * 30}d`, spellDays({ first, last: calendarPart(today, 'month', -1).last }, today));
  }),
  phrase(`last (?:24|48) (?:h|hour|hours|hrs)`, () => unclear('yesterday')),
  phrase('last (?:half year|half)', () => unclear('180d')),
  phrase('(?:this |last )?weekend(?: just gone)?', (_, today) => {
    const sunday = latest('sunday', today);
    const isWeekend = [0, 6].includes(weekdayOf(today));
    return isWeekend
      ? unclear(spellDays({ first: plusDays(sunday, -1), last: sunday }, today))
      : range(plusDays(sunday, -1), sunday, today);
  }),
  phrase(`(?:last )?${W}`, ([weekday = '']) => days(weekday)),
  phrase(`this ${W}`, ([weekday = ''], today) =>
    latest(weekday, today) >= mondayOf(today) ? days(weekday) : unclear(weekday),
  ),
  phrase(`(?:from |between )?(?:last )?${W} (?:to|and|\\+|&) ${W}`, ([one = '', other = ''], today) =>
    weekdays(one, other, today),
  ),
  phrase(`since (?:last )?${W}(?: ${OPEN})?`, ([weekday = '']) => days(`since ${weekday}`)),
  phrase(`(?:from|starting) (?:last )?${W} ${OPEN}`, ([weekday = '']) => days(`since ${weekday}`)),
  phrase('since yesterday', () => days('yesterday')),
  phrase('since (?:last )?weekend', () => days('since saturday')),
  phrase('since last week', () => days('since last week')),
  phrase('since last month', () => days('since last month')),
  phrase('since last quarter', () => days('since last quarter')),
  phrase(`(?:all (?:of )?|whole (?:of )?|entire |month of |calendar )?${M}(?: ${Y})?`, ([name = '', year], today) =>
    month(name, year, today),
  ),
  phrase(`last ${M}`, ([name = ''], today) =>
    month(name, undefined, today).kind === 'future'
      ? unclear()
      : MONTH_NAMES.indexOf(name) + 1 === Number(today.slice(5, 7))
        ? unclear('this month')
        : days(name),
  ),
  phrase(`this ${M}`, ([name = ''], today) => month(name, undefined, today)),
  phrase(`(?:so far (?:in )?)?${M} so far`, ([name = ''], today) => month(name, undefined, today)),
  phrase(`so far (?:in )?${M}`, ([name = ''], today) => month(name, undefined, today)),
  phrase(`since (?:start of |early )?${M}(?: ${Y})?(?: started| ${OPEN})?`, ([name = '', year], today) => {
    const first = dateOf(1, MONTH_NAMES.indexOf(name), year, today);
    return first !== undefined && first.slice(0, 7) === today.slice(0, 7) ? days('this month') : since(first, today);
  }),
  phrase(`${M} to (?:end of )?${M}`, ([one = '', other = ''], today) => {
    const last = dateOf(1, MONTH_NAMES.indexOf(other), undefined, today);
    const first = last && dateOf(1, MONTH_NAMES.indexOf(one), undefined, last);
    if (!first || !last) return undefined;
    const end = calendarPart(last, 'month').last;
    return end >= today ? since(first, today) : range(first, end, today);
  }),
  phrase(`(1st|2nd) half of ${M}`, ([which = '', name = ''], today) => half(which, name, today)),
  phrase(`${M} (1st|2nd) half`, ([name = '', which = ''], today) => half(which, name, today)),
  phrase(String.raw`(q[1-4])(?: ${Y})?`, ([quarter = '', year], today) => {
    const isAhead = Number(quarter[1]) > Math.ceil(Number(today.slice(5, 7)) / 3);
    return isAhead && year === undefined ? FUTURE : days([quarter, year ?? ''].join(' ').trim());
  }),
  phrase(`(1|2|3|4)(?:st|nd|rd|th) quarter`, ([quarter = ''], today) =>
    Number(quarter) > Math.ceil(Number(today.slice(5, 7)) / 3) ? FUTURE : days(`q${quarter}`),
  ),
  phrase(String.raw`since (q[1-4])`, ([quarter = '']) => days(`since ${quarter}`)),
  phrase(String.raw`(\d{4}-(?:0[1-9]|1[0-2]))`, ([iso = '']) => days(iso)),
  phrase(Y, ([year = ''], today) => (year === today.slice(0, 4) ? days('this year') : days(year))),
  phrase(String.raw`(\d{4}-\d{2}-\d{2})\.\.(\d{4}-\d{2}-\d{2})`, ([first, last], today) => range(first, last, today)),
  phrase(`(?:${W} )?${DATE}`, (groups, today) => {
    const date = dateIn(groups, 1, today);
    return range(date, date, today);
  }),
  phrase(`${W} the ${D}|${W} (\\d{1,2})(?:st|nd|rd|th)`, ([one, dayOne, other, dayOther], today) => {
    const day = latest(one ?? other ?? '', today);
    return Number(day.slice(8)) === Number(dayOne ?? dayOther)
      ? days(spellDays({ first: day, last: day }, today))
      : unclear();
  }),
  phrase(`(?:from |between )?(?:${W} )?${DATE} (?:to|and|\\+|&) (?:${W} )?${DATE}`, (groups, today) => {
    const last = dateIn(groups, 2 + GROUPS_OF_DATE, today);
    const period = last === undefined ? undefined : rangeTo(last, (notAfter) => dateIn(groups, 1, notAfter));
    return range(period?.first, period?.last, today);
  }),
  phrase(`(?:from |between )?${M} ${D} (?:to|and|\\+|&) ${D}(?: ${Y})?`, ([name = '', one, other, year], today) => {
    const index = MONTH_NAMES.indexOf(name);
    return range(dateOf(Number(one), index, year, today), dateOf(Number(other), index, year, today), today);
  }),
  phrase(
    `(?:from |between )?${D} (?:to|and|\\+|&) ${D} (?:of )?${M}(?: ${Y})?`,
    ([one, other, name = '', year], today) => {
      const index = MONTH_NAMES.indexOf(name);
      return range(dateOf(Number(one), index, year, today), dateOf(Number(other), index, year, today), today);
    },
  ),
  phrase(`since ${DATE}(?: ${OPEN})?`, (groups, today) => since(dateIn(groups, 0, today), today)),
  phrase(`(?:from|starting) (?:on )?${DATE} ${OPEN}`, (groups, today) => since(dateIn(groups, 0, today), today)),
  phrase(`week (?:of|from|starting|beginning) (?:${W} )?${DATE}`, (groups, today) => {
    const date = dateIn(groups, 1, today);
    return date === undefined ? undefined : range(mondayOf(date), plusDays(mondayOf(date), 6), today);
  }),
  phrase(
    `(?:ever|all time|since (?:day 1|launch|start|very start|we started|1st day)|(?:from|since) day 1(?: ${OPEN})?|(?:from|since) (?:very )?start(?: ${OPEN})?)`,
    () => days(`since ${FIRST_ANALYTICS_DAY}`),
  ),
  phrase(
    'next (?:week|month|quarter|year|few|day|day|sprint|\\d+ (?:day|week|month|quarter|year|h|hour|hours))|tomorrow|coming (?:day|week|month)|in \\d+ (?:day|week|month)',
    () => FUTURE,
  ),
  phrase(String.raw`(?:from )?(\d{1,2})/(\d{1,2}) to (\d{1,2})/(\d{1,2})`, ([a, b, c, d], today) =>
    unclear(...both(today, [Number(a), Number(b)], [Number(c), Number(d)])),
  ),
  phrase(String.raw`(\d{1,2})/(\d{1,2})`, ([a, b], today) => unclear(...both(today, [Number(a), Number(b)]))),
];

type Pair = readonly [number, number];

/** `04/05` is 5 April for some people, and 4 May for others. */
function both(today: Day, from: Pair, to: Pair = from): string[] {
  const read = (dayAt: 0 | 1) => {
    const monthAt = dayAt === 0 ? 1 : 0;
    const last = dateOf(to[dayAt], to[monthAt] - 1, undefined, today);
    const first = last && dateOf(from[dayAt], from[monthAt] - 1, undefined, last);
    return first === undefined || last === undefined ? [] : [spellDays({ first, last }, today)];
  };
  return [...new Set([...read(1), ...read(0)])];
}
