/** An oracle of its own: it reads command lines by a table, without the parsers of the bot. */

/** Monday; figures exist through Sunday. */
export const GOLD_NOW = new Date('2026-11-23T12:00:00Z');
const TODAY = '2026-11-23';
const FIRST_DAY = '2026-01-14';
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const DAY_MS = 86_400_000;

const iso = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const shift = (day: string, days: number) => iso(Date.parse(day) + days * DAY_MS);
const YESTERDAY = shift(TODAY, -1);
const endOfMonth = (year: number, month: number) => iso(Date.UTC(year, month + 1, 0));
const clip = (last: string) => (last > YESTERDAY ? YESTERDAY : last);
const span = (first: string, last: string) => `${first < FIRST_DAY ? FIRST_DAY : first}..${clip(last)}`;

const FIXED: Readonly<Record<string, string>> = {
  yesterday: span(YESTERDAY, YESTERDAY),
  today: `${TODAY}..${TODAY}`,
  'last week': span('2026-11-16', '2026-11-22'),
  'this week': '2026-11-23..this week',
  'last month': span('2026-10-01', '2026-10-31'),
  'this month': span('2026-11-01', '2026-11-30'),
  'last quarter': span('2026-07-01', '2026-09-30'),
  'this quarter': span('2026-10-01', '2026-12-31'),
  'this year': span('2026-01-01', '2026-12-31'),
};

/** A period as its first and last day. */
function daysOf(words: string): string | undefined {
  const text = words.trim().toLowerCase();
  const count = /^(\d+)([dw])$/.exec(text);
  if (count) return span(shift(TODAY, -Number(count[1]) * (count[2] === 'w' ? 7 : 1)), YESTERDAY);
  if (Object.hasOwn(FIXED, text)) return FIXED[text];
  const quarter = /^q([1-4])$/.exec(text);
  if (quarter) {
    const month = (Number(quarter[1]) - 1) * 3;
    return span(iso(Date.UTC(2026, month, 1)), endOfMonth(2026, month + 2));
  }
  const day = dayOf(text);
  if (day !== undefined) return span(day, day);
  const wholeMonth = monthOf(text);
  if (wholeMonth) return span(wholeMonth.first, wholeMonth.last);
  const since = /^since (.+)$/.exec(text);
  if (since) {
    const part = daysOf(since[1] ?? '');
    return part === undefined ? undefined : span(part.split('..')[0] ?? '', YESTERDAY);
  }
  const range = /^(.+?)(?: to |\.\.)(.+)$/.exec(text);
  if (!range) return undefined;
  const [first, last] = [daysOf(range[1] ?? ''), daysOf(range[2] ?? '')];
  return first && last ? span(first.split('..')[0] ?? '', last.split('..')[1] ?? '') : undefined;
}

function dayOf(text: string): string | undefined {
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return text;
  const weekday = WEEKDAYS.indexOf(text);
  if (weekday >= 0) return shift(YESTERDAY, -((new Date(YESTERDAY).getUTCDay() - weekday + 7) % 7));
  const named = /^([a-z]{3,9}) (\d{1,2})$/.exec(text);
  const month = MONTHS.indexOf((named?.[1] ?? '').slice(0, 3));
  return !named || month < 0 ? undefined : iso(Date.UTC(2026, month, Number(named[2])));
}

const LONG = 'january february march april may june july august september october november december sept'.split(' ');
const isMonth = (text: string, short: string) => text === short || (LONG.includes(text) && text.startsWith(short));

function monthOf(text: string): { first: string; last: string } | undefined {
  const numeric = /^(\d{4})-(\d\d)$/.exec(text);
  const index = numeric ? Number(numeric[2]) - 1 : MONTHS.findIndex((name) => isMonth(text, name));
  if (index < 0) return undefined;
  const year = numeric ? Number(numeric[1]) : index > 10 ? 2025 : 2026;
  return { first: iso(Date.UTC(year, index, 1)), last: endOfMonth(year, index) };
}

export const SIDES: ReadonlySet<string> = new Set([
  'summary',
  'credits',
  'models',
  'tools',
  'activity',
  'productivity',
  'people',
  'teams',
  'moved',
]);

/** What is compared: command, side, subject, period and file; the same period in another spelling is as good. */
export function meaningOf(line: string): string {
  const [command = '', ...rest] = line.trim().split(/\s+/);
  const words = rest.map((word) => (word === '@asker' || word === '@me' ? 'me' : word.toLowerCase()));
  if (command !== '/usage') return [command, ...withDays(words)].join(' ').replace('/limits list', '/limits').trim();
  const file = words.includes('csv') ? 'csv' : '';
  const more = words.includes('more') ? 'more' : '';
  const plain = words.filter((word) => word !== 'csv' && word !== 'more');
  const at = plain.findIndex((word) => SIDES.has(word));
  const side = at < 0 ? '' : (plain.splice(at, 1)[0] ?? '');
  const parts = plain.join(' ').split(/ vs /);
  if (parts.length > 1) return ['/usage', side, ...comparison(parts), file].filter(Boolean).join(' ');
  const subjects = plain.filter((word) => isSubject(word));
  const period = plain.filter((word) => !isSubject(word)).join(' ');
  const days = period === '' ? daysOf('7d') : (daysOf(period) ?? `?${period}`);
  const named = side === 'summary' || side === 'credits' ? '' : side;
  return ['/usage', named, days, ...subjects, file, more].filter(Boolean).join(' ');
}

const isSubject = (word: string) => word === 'me' || /^<[@!]/.test(word) || word.startsWith('@') || /@.+\./.test(word);

function comparison(parts: readonly string[]): string[] {
  const read = parts.map((part) => {
    const words = part.split(' ').filter(Boolean);
    const things = words.filter((word) => isSubject(word) || word.startsWith('model-'));
    const period = words.filter((word) => !things.includes(word)).join(' ');
    return { things, days: period === '' ? '' : (daysOf(period) ?? `?${period}`) };
  });
  const things = read.flatMap((part) => part.things).toSorted();
  const days = [...new Set(read.map((part) => part.days))].filter(Boolean).toSorted();
  return ['vs', ...things, ...days];
}

/** Days in place of the words of a period, wherever they are. */
function withDays(words: readonly string[]): string[] {
  for (let length = Math.min(6, words.length); length > 0; length -= 1)
    for (let at = 0; at + length <= words.length; at += 1) {
      const days = /^\d+$/.test(words[at] ?? '') ? undefined : daysOf(words.slice(at, at + length).join(' '));
      if (days !== undefined) return [...words.slice(0, at), days, ...words.slice(at + length)];
    }
  return [...words];
}
