import {
  calendarPart,
  dayOf,
  DAYS_IN_A_WEEK,
  formatPeriod,
  isDay,
  mondayOf,
  plusDays,
  weekdayOf,
  type CalendarUnit,
  type Day,
  type Period,
} from './calendar.ts';
import { DAY_NAMES, MONTH_NAMES } from './period-spelling.ts';

/** The period that a person asked for, before it is cut to the days that exist. */
export interface RequestedPeriod extends Period {
  /** The period in everyday words: `last week`. */
  label: string;
  /** `7d` means the last 7 *published* days, so it ends a day earlier while yesterday is not published. */
  lastDays?: number;
  /** Set if the period is a part of the calendar, which is compared with the previous part. */
  unit?: CalendarUnit;
}

type Meanings = RequestedPeriod | readonly (RequestedPeriod | undefined)[] | undefined;
type ReadPart = (groups: readonly (string | undefined)[], today: Day) => Meanings;

/** The longest `Nd`: longer than the platform's whole history, and short enough that dates do not overflow. */
const MAX_DAYS = 3_660;
const MAX_MONTHS = 36;
/** `wednesday 4th november 2026`, `last 24 hours` */
const MOST_WORDS = 5;

const MONTH = `(${MONTH_NAMES.join('|')})`;
const WEEKDAY = `(${DAY_NAMES.join('|')})`;
const YEAR = String.raw`(20\d\d)`;
const D = String.raw`(\d{1,2})(?:st|nd|rd|th)?`;

const HOLIDAYS: Readonly<Record<string, string>> = {
  'new year': '01-01',
  'new years': '01-01',
  'new year day': '01-01',
  'new years day': '01-01',
  halloween: '10-31',
  'christmas eve': '12-24',
  christmas: '12-25',
  xmas: '12-25',
  'new year eve': '12-31',
  'new years eve': '12-31',
};

const OFFSETS: Readonly<Record<string, number>> = { last: -1, this: 0, next: 1 };
const UNITS: Readonly<Record<string, string>> = { w: 'week', m: 'month', q: 'quarter', y: 'year' };

const named = (first: Day, last = first, label = formatPeriod({ first, last })): RequestedPeriod => ({
  first,
  last,
  label,
});

function lastDays(count: number, today: Day): RequestedPeriod | undefined {
  if (count < 1 || count > MAX_DAYS) return undefined;
  const label = count === 1 ? 'the last day' : `the last ${count} days`;
  return { ...named(plusDays(today, -count), plusDays(today, -1), label), lastDays: count };
}

function week(today: Day, offset: number, label?: string): RequestedPeriod {
  const monday = plusDays(mondayOf(today), offset * DAYS_IN_A_WEEK);
  return named(monday, plusDays(monday, 6), label);
}

/** A week, month, quarter or year before or after the running one. */
function unitAt(unit: string, offset: number, today: Day, label?: string): RequestedPeriod | undefined {
  if (unit === 'week') return week(today, offset, label);
  if (unit !== 'month' && unit !== 'quarter' && unit !== 'year') return undefined;
  const part = calendarPart(today, unit, offset);
  return { ...part, label: label ?? formatPeriod(part), unit };
}

/** `last 3 months`: whole calendar months, or as many times 30 days. */
function lastMonths(count: number, today: Day): Meanings {
  if (count < 1 || count > MAX_MONTHS) return undefined;
  const months = { first: calendarPart(today, 'month', -count).first, last: calendarPart(today, 'month', -1).last };
  return [lastDays(count * 30, today), named(months.first, months.last)];
}

/** Without a year, the latest that has begun. */
function latestPart(unit: CalendarUnit, month: number, year: string | undefined, today: Day): RequestedPeriod {
  const firstIn = (one: number) => dayOf(new Date(Date.UTC(one, month, 1)));
  const thisYear = Number(year ?? today.slice(0, 4));
  const first = year === undefined && firstIn(thisYear) > today ? firstIn(thisYear - 1) : firstIn(thisYear);
  const part = calendarPart(first, unit);
  return { ...part, label: formatPeriod(part), unit };
}

/** Without a year, the latest date of that name that is not after `notAfter`. */
function dateOf(day: string, month: number, year: string | undefined, notAfter: Day): Day | undefined {
  const thisYear = Number(notAfter.slice(0, 4));
  const years = year === undefined ? [thisYear, thisYear - 1] : [Number(year.length === 2 ? `20${year}` : year)];
  const dates = years.map((one) => `${one}-${String(month + 1).padStart(2, '0')}-${day.padStart(2, '0')}`);
  return dates.find((date) => isDay(date) && (year !== undefined || date <= notAfter));
}

const single = (day: Day | undefined) => (day === undefined ? undefined : named(day));
const dayIn = (month: string | undefined, day = '', year: string | undefined, today: Day) =>
  single(dateOf(day, MONTH_NAMES.indexOf(month ?? ''), year, today));

/** `13/11/2026` has one reading; `02/01` has two, because people write both orders. */
function numericDate(one = '', other = '', year: string | undefined, today: Day): Meanings {
  const readings = [dateOf(one, Number(other) - 1, year, today), dateOf(other, Number(one) - 1, year, today)];
  return [...new Set(readings)].map((day) => single(day));
}

const latestWeekday = (name: string | undefined, before: Day): Day =>
  plusDays(before, -((weekdayOf(before) - DAY_NAMES.indexOf(name ?? '') + 7) % 7 || 7));

/** The ISO week of a number: week 1 has the 4th of January. */
function numberedWeek(number = '', year: string | undefined, today: Day): RequestedPeriod | undefined {
  const weekIn = (one: number) => plusDays(mondayOf(`${one}-01-04`), (Number(number) - 1) * DAYS_IN_A_WEEK);
  if (Number(number) < 1 || Number(number) > 53) return undefined;
  const thisYear = Number(year ?? today.slice(0, 4));
  const monday = year === undefined && weekIn(thisYear) > today ? weekIn(thisYear - 1) : weekIn(thisYear);
  return named(monday, plusDays(monday, 6));
}

function halfMonth(which: string | undefined, month: string | undefined, today: Day): RequestedPeriod {
  const { first, last } = latestPart('month', MONTH_NAMES.indexOf(month ?? ''), undefined, today);
  const middle = `${first.slice(0, 8)}15`;
  return which === '1st' ? named(first, middle) : named(plusDays(middle, 1), last);
}

function halfYear(half: string | undefined, year: string | undefined, today: Day): RequestedPeriod {
  const { first } = latestPart('quarter', half === '1' ? 0 : 6, year, today);
  return named(first, calendarPart(first, 'quarter', 1).last);
}

const part = (pattern: string, read: ReadPart) => ({ pattern: new RegExp(`^(?:${pattern})$`), read });

/** Phrases in the words of `plainPeriodWord`. */
export const PARTS: readonly { pattern: RegExp; read: ReadPart }[] = [
  part('(today|tomorrow|yesterday)', ([name = ''], today) => {
    const day = plusDays(today, ['yesterday', 'today', 'tomorrow'].indexOf(name) - 1);
    return named(day, day, name);
  }),
  part('day before yesterday', (_, today) => named(plusDays(today, -2))),
  part('this (?:morning|afternoon|evening)', (_, today) => named(today, today, 'today')),
  part('last night', (_, today) => named(plusDays(today, -1), plusDays(today, -1), 'yesterday')),
  part(String.raw`(?:(\d{1,3}) )?day ago`, ([count = 1], today) => named(plusDays(today, -Number(count)))),
  part(String.raw`(?:(\d{1,2}) )?(week|month|quarter|year) ago`, ([count = 1, unit = ''], today) =>
    unitAt(unit, -Number(count), today),
  ),
  part('(?:this )?(this|last|next) (week|month|quarter|year)', ([which = '', unit = ''], today) =>
    unitAt(unit, OFFSETS[which] ?? 0, today, `${which} ${unit}`),
  ),
  part('week just gone|last full week|last work week|last whole week', (_, today) => week(today, -1, 'last week')),
  part('(week|month|quarter|year) before last(?: (?:week|month|quarter|year))?', ([unit = ''], today) =>
    unitAt(unit, -2, today),
  ),
  part('([wmqy])td|(week|month|quarter|year) to (?:date|today|now)', ([letter = '', unit], today) =>
    unitAt(unit ?? UNITS[letter] ?? '', 0, today, `this ${unit ?? UNITS[letter]}`),
  ),
  part('all year', (_, today) => unitAt('year', 0, today, 'this year')),
  part(String.raw`(?:last )?(\d{1,4}) ?(?:d|day)`, ([count], today) => lastDays(Number(count), today)),
  part(String.raw`(?:last )?(\d{1,4}) ?(?:w|week)`, ([count], today) => lastDays(Number(count) * 7, today)),
  part(String.raw`last (24|48|72) ?(?:h|hour|hours|hrs)`, ([hours], today) => lastDays(Number(hours) / 24, today)),
  part('(?:last )?fortnight', (_, today) => lastDays(14, today)),
  part('last few day', (_, today) => [lastDays(3, today), lastDays(7, today)]),
  part('last few week', (_, today) => [lastDays(21, today), lastDays(28, today)]),
  part('last few month', (_, today) => [lastDays(90, today), unitAt('quarter', -1, today, 'last quarter')]),
  part('last half year|last half', (_, today) => lastMonths(6, today)),
  part(String.raw`(?:last )?(\d{1,2}) month`, ([count], today) => lastMonths(Number(count), today)),
  part('(?:last |this )?weekend(?: just gone)?', (_, today) => {
    const sunday = latestWeekday('sunday', today);
    return named(plusDays(sunday, -1), sunday);
  }),
  part(`(?:last )?${WEEKDAY}`, ([name], today) => named(latestWeekday(name, today))),
  part(`(this|next) ${WEEKDAY}`, ([which, name], today) => {
    const ahead = which === 'next' ? DAYS_IN_A_WEEK : 0;
    return named(plusDays(mondayOf(today), ((DAY_NAMES.indexOf(name ?? '') + 6) % 7) + ahead));
  }),
  part(`(?:month )?(?:last |this )?${MONTH}(?: ${YEAR})?`, ([name = '', year], today) =>
    latestPart('month', MONTH_NAMES.indexOf(name), year, today),
  ),
  part(`(?:q|quarter )([1-4])(?: ${YEAR})?|([1-4])(?:st|nd|rd|th) quarter(?: ${YEAR})?`, ([a, b, c, d], today) =>
    latestPart('quarter', (Number(a ?? c) - 1) * 3, b ?? d, today),
  ),
  part(YEAR, ([year], today) => latestPart('year', 0, year, today)),
  part(String.raw`${YEAR}[-/](0[1-9]|1[0-2])`, ([year, month], today) =>
    latestPart('month', Number(month) - 1, year, today),
  ),
  part(`(1st|2nd) half ${MONTH}|${MONTH} (1st|2nd) half`, ([a, b, c, d], today) => halfMonth(a ?? d, b ?? c, today)),
  part(`h([12])(?: ${YEAR})?`, ([half, year], today) => halfYear(half, year, today)),
  part(String.raw`(?:calendar )?(?:week |w|cw ?|kw ?)#?(\d{1,2})(?: ${YEAR})?`, ([number, year], today) =>
    numberedWeek(number, year, today),
  ),
  part(String.raw`(?:${WEEKDAY} )?(\d{4})[-/](\d{2})[-/](\d{2})`, ([, year, month, day]) => {
    const date = `${year}-${month}-${day}`;
    return single(isDay(date) ? date : undefined);
  }),
  part(`(?:${WEEKDAY} )?${MONTH} ${D}(?: ${YEAR})?`, ([, month, day, year], today) => dayIn(month, day, year, today)),
  part(`(?:${WEEKDAY} )?${D} ${MONTH}(?: ${YEAR})?`, ([, day, month, year], today) => dayIn(month, day, year, today)),
  part(String.raw`(\d{1,2})\/(\d{1,2})(?:\/(\d{4}|\d{2}))?`, ([one, other, year], today) =>
    numericDate(one, other, year, today),
  ),
  part(String.raw`(\d{1,2})([.-])(\d{1,2})\2(20\d\d)`, ([one, , other, year], today) =>
    numericDate(one, other, year, today),
  ),
  part(String.raw`${WEEKDAY} (\d{1,2})(?:st|nd|rd|th)`, ([name, day], today) => {
    const latest = latestWeekday(name, today);
    return single(Number(latest.slice(8)) === Number(day) ? latest : undefined);
  }),
];

/** The meanings of a phrase that names one part of the calendar: two for `02/01`, none for other words. */
export function readPart(phrase: string, today: Day): readonly RequestedPeriod[] {
  const holiday = Object.hasOwn(HOLIDAYS, phrase) ? HOLIDAYS[phrase] : undefined;
  if (holiday !== undefined) {
    const [month, day = ''] = holiday.split('-');
    return [single(dateOf(day, Number(month) - 1, undefined, today))].filter((one) => one !== undefined);
  }
  if (phrase.split(' ').length > MOST_WORDS) return [];
  for (const { pattern, read } of PARTS) {
    const groups = pattern.exec(phrase);
    const meanings = groups ? [read(groups.slice(1), today)].flat() : [];
    const distinct = meanings.filter((one) => one !== undefined);
    if (distinct.length > 0) return distinct;
  }
  return [];
}
