import { FACTS_MAX_AGE_MS } from '../../../core/analytics/day-facts.ts';
import type { AnalyticsDays } from '../../../core/analytics/days.ts';
import { notBeforeFirstDay } from '../../../core/analytics/period.ts';
import { readPeopleByDay } from '../../../core/analytics/amounts.ts';
import { daysOf, plusDays, type Day, type Period } from '../../../core/base/time/calendar.ts';
import { formatCompact } from '../../../core/base/text/numbers.ts';
import type { ChannelSubscription } from '../../../core/watches/channel-subscription-table.ts';
import { amountsByName, modelCredits } from '../../../core/figures/measures/breakdown.ts';
import type { NamingPermission } from '../../../core/slack/people/audience.ts';
import type { AlertDeps } from '../alerts-deps.ts';

const MAX_EXPLAINED = 2;
const WEEKS = 4;

/** The amount of a person or model on a day, beside its mean on the same weekday. */
interface Move {
  name: string;
  /** Only for a person: the e-mail, or the platform’s id. */
  key?: string;
  now: number;
  usual: number;
}

/** The sentence parts that explain a day, with the e-mails of the people that they name. */
export interface Explanation {
  words: string[];
  named: string[];
}

/** Explains by people for readers who may see them, otherwise by models; a group then has no explanation. */
export async function explainDay(
  deps: AlertDeps,
  { subject }: Pick<ChannelSubscription, 'subject'>,
  day: Day,
  naming: NamingPermission | undefined,
): Promise<Explanation> {
  const period = { first: notBeforeFirstDay(plusDays(day, -7 * WEEKS)), last: day };
  if (naming) {
    const moves = furthest(await personMoves(deps, subject, period));
    return { words: wordsOf(moves), named: moves.flatMap(({ key }) => key ?? []) };
  }
  return { words: subject === '' ? wordsOf(furthest(await modelMoves(deps.days, period))) : [], named: [] };
}

export async function modelMoves(days: Pick<AnalyticsDays, 'credits'>, period: Period): Promise<Move[]> {
  const part = await days.credits(period, { maxAgeMs: FACTS_MAX_AGE_MS });
  if (part.kind === 'unreadable') return [];
  const same = sameWeekdays(period);
  const before = part.rows.filter(({ date }) => same.has(date));
  const own = part.rows.find(({ date }) => date === period.last);
  if (!own || before.length === 0) return [];
  const sums = amountsByName(before, modelCredits);
  const now = amountsByName([own], modelCredits);
  const names = [...new Set([...sums.keys(), ...now.keys()])];
  return names.map((name) => ({ name, now: now.get(name) ?? 0, usual: (sums.get(name) ?? 0) / before.length }));
}

async function personMoves({ days, people }: AlertDeps, subject: string, period: Period): Promise<Move[]> {
  const [read, names, teams] = await Promise.all([
    readPeopleByDay(days, period, { maxAgeMs: FACTS_MAX_AGE_MS }),
    people.names(),
    people.teams(),
  ]);
  if (read.kind === 'unreadable') return [];
  const { credits, keyByEmail, published } = read.people;
  const same = sameWeekdays(period);
  const places = published.filter(({ day }) => same.has(day)).map(({ place }) => place);
  if (places.length === 0) return [];
  const emails = subject === '' ? undefined : teams.find(({ id }) => id === subject)?.emails;
  const keys = emails ? new Set(emails.map((email) => keyByEmail.get(email) ?? email)) : undefined;
  const last = daysOf(period).length - 1;
  return [...credits].flatMap(([key, own]) => {
    if (keys && !keys.has(key)) return [];
    const usual = places.reduce((sum, place) => sum + (own[place] ?? 0), 0) / places.length;
    return [{ name: names.get(key) ?? key, key, now: own[last] ?? 0, usual }];
  });
}

const sameWeekdays = ({ last }: Period) =>
  new Set(Array.from({ length: WEEKS }, (_, week) => plusDays(last, -7 * (week + 1))));

/** Returns the largest moves in the direction of the total. */
function furthest(moves: readonly Move[]): Move[] {
  const moved = ({ now, usual }: Move) => now - usual;
  const sign = Math.sign(moves.reduce((sum, move) => sum + moved(move), 0));
  return moves
    .filter((move) => moved(move) * sign > 0)
    .toSorted((a, b) => Math.abs(moved(b)) - Math.abs(moved(a)))
    .slice(0, MAX_EXPLAINED);
}

function wordsOf(moves: readonly Move[]): string[] {
  return moves.map(
    ({ name, now, usual }) =>
      `${name} ${formatCompact(Math.round(now))} instead of about ${formatCompact(Math.round(usual))}`,
  );
}
