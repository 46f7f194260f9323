import { calendarPart, isDay, plusDays, type Day, type Period } from '../../../../core/base/time/calendar.ts';
import { DAY_NAMES, MONTH_NAMES } from '../../../../core/base/time/read-period.ts';
import type { Token } from '../tokens.ts';
import { readNumber } from '../numbers.ts';

/** The other spellings of each word. A word that is its own synonym is never corrected to a different one. */
const SPELLINGS = {
  september: 'sept',
  tuesday: 'tues',
  thursday: 'thur thurs',
  wednesday: 'weds wednsday',
  last: 'past previous prev prior preceding latest trailing',
  to: 'till til until thru through -',
  this: 'current',
  day: 'days dys',
  week: 'weeks wk wks',
  weekly: 'weekly',
  month: 'months mnth mth',
  quarter: 'quarters qtr',
  year: 'years yr',
  fortnight: 'fortnights',
  yesterday: 'yday ystd yesterdays',
  today: 'todays tonight',
  weekend: 'wkend weekends',
  start: 'beginning',
  started: 'began begun',
  couple: 'couple',
  '1st': 'first',
  '2nd': 'second',
  '3rd': 'third',
  '4th': 'fourth',
  '5th': 'fifth',
  '6th': 'sixth',
  '7th': 'seventh',
  '8th': 'eighth',
  '9th': 'ninth',
  '10th': 'tenth',
  '12th': 'twelfth',
  '15th': 'fifteenth',
  '20th': 'twentieth',
  '30th': 'thirtieth',
};
const SYNONYMS = new Map(
  Object.entries(SPELLINGS).flatMap(([word, others]) => others.split(' ').map((other) => [other, word] as const)),
);

/** The word in the spelling that the patterns of periods expect: `oct` is `october`, `past` is `last`, `ten` is `10`. */
export function periodWord(tokens: readonly Token[], at: number, meant: (word: string) => string): string {
  const { word = '', stem = '' } = tokens[at] ?? {};
  for (const one of [word, stem]) {
    const synonym = SYNONYMS.get(one);
    if (synonym !== undefined) return synonym;
    const isShort = /^[a-z]{3,4}$/.test(one);
    const name = [...MONTH_NAMES, ...DAY_NAMES].find(
      (full) => full === one || (isShort && full.startsWith(one) && one.length === 3),
    );
    if (name !== undefined) return name;
  }
  const number = /^[a-z]/.test(word) ? readNumber(tokens, at) : undefined;
  if (number?.count === 1 && !number.isPercent && number.value < 1_000) return String(number.value);
  const corrected = meant(word);
  return SYNONYMS.get(corrected) ?? corrected;
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
  if (month.first === first && month.last === last) return MONTH_NAMES[Number(first.slice(5, 7)) - 1] ?? first;
  return first === last ? spellDay(first) : `${spellDay(first)} to ${spellDay(last)}`;
}

const spellDay = (day: Day) =>
  `${(MONTH_NAMES[Number(day.slice(5, 7)) - 1] ?? '').slice(0, 3)} ${Number(day.slice(8))}`;
