import { wordsIn } from '../text/word-list.ts';
import { calendarPart, plusDays, type Day, type Period } from './calendar.ts';

export const MONTH_NAMES =
  'january february march april may june july august september october november december'.split(' ');
export const DAY_NAMES = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ');

/** The other spellings of each word; an article is no part of a period. */
const SPELLINGS: Readonly<Record<string, string>> = {
  '': 'the a an of',
  september: 'sept',
  tuesday: 'tues',
  wednesday: 'weds',
  thursday: 'thur thurs',
  last: 'past previous prev prior preceding latest trailing',
  next: 'coming upcoming',
  this: 'current',
  to: 'till til until thru through - → upto',
  day: 'days dys',
  week: 'weeks wk wks',
  month: 'months mnth mth',
  quarter: 'quarters qtr',
  year: 'years yr yrs',
  fortnight: 'fortnights',
  yesterday: 'yday ystd yesterdays',
  today: 'todays tonight',
  tomorrow: 'tomorrows tmrw tmr',
  weekend: 'wkend',
  start: 'beginning',
  started: 'began begun',
  onward: 'onwards forward',
  few: 'several',
  '1': 'one',
  '2': 'two couple',
  '3': 'three',
  '4': 'four',
  '5': 'five',
  '6': 'six',
  '7': 'seven',
  '8': 'eight',
  '9': 'nine',
  '10': 'ten',
  '12': 'twelve',
  '14': 'fourteen',
  '30': 'thirty',
  '60': 'sixty',
  '90': 'ninety',
  '1st': 'first',
  '2nd': 'second',
  '3rd': 'third',
  '4th': 'fourth',
};

const PLAIN = new Map(
  Object.entries(SPELLINGS).flatMap(([plain, others]) => others.split(' ').map((other) => [other, plain] as const)),
);
for (const name of [...MONTH_NAMES, ...DAY_NAMES])
  for (const spelling of [name, name.slice(0, 3)]) PLAIN.set(spelling, name);

const NAMES = new Set([...MONTH_NAMES, ...DAY_NAMES]);

/** The word as the patterns of periods expect it: `oct` is `october`, `past` is `last`, `2-6` is `2 to 6`. */
export function plainPeriodWord(word: string): string {
  const plain = PLAIN.get(word) ?? PLAIN.get(word.replace(/['’]s$/, ''));
  if (plain !== undefined) return plain;
  const range = /^(\d{1,2})-(\d{1,2}(?:st|nd|rd|th)?)$/.exec(word) ?? /^([a-z]{3,9})-([a-z]{3,9})$/.exec(word);
  const [, from = '', to = ''] = range ?? /^(\d{4}-\d{2}-\d{2})-(\d{4}-\d{2}-\d{2})$/.exec(word) ?? [];
  if (from !== '' && (/\d/.test(from) || (NAMES.has(PLAIN.get(from) ?? '') && NAMES.has(PLAIN.get(to) ?? ''))))
    return `${PLAIN.get(from) ?? from} to ${PLAIN.get(to) ?? to}`;
  return word.replace(/['’]s$|,$/, '');
}

/** Whether a word means days wherever it is, such as `october` or `yesterday`. */
export const isPeriodWord = (word: string): boolean => NAMES.has(PLAIN.get(word) ?? word) || PLAIN.has(word);

/** Words that can begin a period; others are rejected at once, because most words of a command or message are none. */
const BEGINNINGS = new Set([
  ...NAMES,
  ...wordsIn(
    'last this next few week month quarter year fortnight weekend today tomorrow yesterday since from between starting',
    'in on for during over within across throughout all whole entire full complete so day just calendar half',
    'w cw kw the a wtd mtd qtd ytd christmas xmas new halloween 1st 2nd 3rd 4th',
  ),
]);
const INSIDE = new Set([
  ...BEGINNINGS,
  ...PLAIN.keys(),
  ...PLAIN.values(),
  ...wordsIn('ago before to and & + far gone alone onward started start early date now work eve h hour hours hrs'),
]);

export function canBeginPeriod(word: string): boolean {
  const [first = ''] = plainPeriodWord(word).split(' ', 1);
  return /\d/.test(first) || BEGINNINGS.has(first) || BEGINNINGS.has(word);
}

/** No period has another word in it. */
export const canBeInPeriod = (word: string): boolean =>
  /\d|\.\./.test(word) || INSIDE.has(word) || plainPeriodWord(word) !== word;

/** The words of commands that mean these days. @example spellDays({ first: '2026-10-01', last: '2026-10-07' }, today) // 'oct 1 to oct 7' */
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
