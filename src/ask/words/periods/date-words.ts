import { calendarPart, isDay, plusDays, type Day, type Period } from '../../../base/time/calendar.ts';
import type { Token } from '../tokens.ts';
import { readNumber } from '../numbers.ts';

export const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
);
export const WEEKDAYS = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ');

const SYNONYMS: Readonly<Record<string, string>> = {
  sept: 'september',
  tues: 'tuesday',
  thur: 'thursday',
  thurs: 'thursday',
  weds: 'wednesday',
  wednsday: 'wednesday',
  past: 'last',
  previous: 'last',
  prev: 'last',
  prior: 'last',
  preceding: 'last',
  latest: 'last',
  trailing: 'last',
  till: 'to',
  til: 'to',
  until: 'to',
  thru: 'to',
  through: 'to',
  '-': 'to',
  current: 'this',
  days: 'day',
  dys: 'day',
  weeks: 'week',
  wk: 'week',
  wks: 'week',
  weekly: 'weekly',
  months: 'month',
  mnth: 'month',
  mth: 'month',
  quarters: 'quarter',
  qtr: 'quarter',
  years: 'year',
  yr: 'year',
  fortnights: 'fortnight',
  yday: 'yesterday',
  ystd: 'yesterday',
  yesterdays: 'yesterday',
  todays: 'today',
  tonight: 'today',
  wkend: 'weekend',
  weekends: 'weekend',
  beginning: 'start',
  began: 'started',
  begun: 'started',
  couple: 'couple',
  first: '1st',
  second: '2nd',
  third: '3rd',
  fourth: '4th',
  fifth: '5th',
  sixth: '6th',
  seventh: '7th',
  eighth: '8th',
  ninth: '9th',
  tenth: '10th',
  twelfth: '12th',
  fifteenth: '15th',
  twentieth: '20th',
  thirtieth: '30th',
};

/** The word in the spelling that the patterns of periods expect: `oct` is `october`, `past` is `last`, `ten` is `10`. */
export function periodWord(tokens: readonly Token[], at: number, meant: (word: string) => string): string {
  const { word = '', stem = '' } = tokens[at] ?? {};
  for (const one of [word, stem]) {
    if (Object.hasOwn(SYNONYMS, one)) return SYNONYMS[one] ?? one;
    const isShort = /^[a-z]{3,4}$/.test(one);
    const name = [...MONTHS, ...WEEKDAYS].find(
      (full) => full === one || (isShort && full.startsWith(one) && one.length === 3),
    );
    if (name !== undefined) return name;
  }
  const number = /^[a-z]/.test(word) ? readNumber(tokens, at) : undefined;
  if (number?.count === 1 && !number.isPercent && number.value < 1_000) return String(number.value);
  const corrected = meant(word);
  return Object.hasOwn(SYNONYMS, corrected) ? (SYNONYMS[corrected] ?? corrected) : corrected;
}

/** A date without a year is the latest that is not after `notAfter`. */
export function dateOf(day: number, month: number, year: string | undefined, notAfter: Day): Day | undefined {
  const thisYear = Number(notAfter.slice(0, 4));
  const years = year === undefined ? [thisYear, thisYear - 1] : [Number(year)];
  const dates = years.map((one) => `${one}-${pad(month + 1)}-${pad(day)}`).filter((date) => isDay(date));
  return dates.find((date) => year !== undefined || date <= notAfter);
}

const pad = (value: number) => String(value).padStart(2, '0');

/** Words of the commands for these days. @example spellDays({ first: '2026-10-01', last: '2026-10-07' }, today) // 'oct 1 to oct 7' */
export function spellDays({ first, last }: Period, today: Day): string {
  const month = calendarPart(first, 'month');
  const isRecent = first > plusDays(today, -330) && last <= today;
  if (!isRecent) {
    if (month.first === first && month.last === last) return first.slice(0, 7);
    return first === last ? first : `${first}..${last}`;
  }
  if (month.first === first && month.last === last) return MONTHS[Number(first.slice(5, 7)) - 1] ?? first;
  return first === last ? spellDay(first) : `${spellDay(first)} to ${spellDay(last)}`;
}

const spellDay = (day: Day) => `${(MONTHS[Number(day.slice(5, 7)) - 1] ?? '').slice(0, 3)} ${Number(day.slice(8))}`;
