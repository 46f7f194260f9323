import { formatDay, formatPeriod } from '../../../core/base/time/calendar.ts';
import { withRest } from '../../../core/base/text/markup.ts';
import {
  type Cost,
  aboutCost,
  costNote,
  countOf,
  formatCompact,
  formatShare,
} from '../../../core/base/text/numbers.ts';
import type { BlockMessage } from '../../../core/slack/blocks/blocks.ts';
import { headline, list, note, messageOf, numberCell, table } from '../../../core/slack/blocks/paragraphs.ts';
import { emailsOf } from '../core/ledger.ts';
import type { SimulatedPeriod, SimulatedUnit, StoppedPerson } from './simulate.ts';

const MAX_NAMED = 10;

export interface SimulationFacts {
  about: string;
  /** The limit for everyone; undefined if each person has their own. */
  limit: number | undefined;
  unit: SimulatedUnit;
  /** The period that a limit covers is not configured. */
  isUnitGuessed: boolean;
  periods: readonly SimulatedPeriod[];
  /** Of the limit at the price of today, and of what all of them used. */
  costs: { limit: Cost | undefined; used: Cost | undefined };
  /** Only for readers who may see names. */
  nameOf: ((email: string) => string) | undefined;
}

export function simulationMessage(facts: SimulationFacts): BlockMessage {
  const { about, limit, unit, periods, isUnitGuessed, costs, nameOf } = facts;
  const stopped = new Set(periods.flatMap((period) => period.stopped.map(({ email }) => email)));
  const people = Math.max(0, ...periods.map((period) => period.people));
  const span = periods.length === 1 ? `the last ${unit}` : `the last ${periods.length} ${unit}s`;
  const limitClause = limit === undefined ? 'With the requested limits' : `With ${formatCompact(limit)} a ${unit}`;
  const who =
    stopped.size === 0
      ? `no one in ${about}`
      : `${stopped.size} of ${countOf(people, 'person', 'people')}${limit === undefined ? '' : ` of ${about}`}`;
  const used = costs.used ? `They used ${aboutCost(costs.used)} in ${span}.` : '';
  const point = `${limitClause}${costNote(costs.limit)}, ${who} would have been stopped in ${span}`;
  return messageOf(
    headline(point, used),
    table({
      caption: limitClause,
      columns: [
        { title: 'Period', cell: ({ period }: SimulatedPeriod) => formatPeriod(period) },
        { title: 'People', cell: (one) => numberCell(one.people) },
        { title: 'Stopped', cell: (one) => numberCell(one.stopped.length) },
        { title: 'First on', cell: (one) => firstDay(one.stopped) },
        { title: 'Part of their credits', cell: (one) => preventedShareOf(one.stopped) },
      ],
      rows: [...periods],
    }),
    ...(nameOf ? [list('Most affected', namedLines(periods, unit, nameOf))] : []),
    note(
      [
        'This counts the credits that were used; with a limit, people might have worked differently.',
        isUnitGuessed
          ? `The period of limits isn’t set, so this counts per ${unit}. Add “per week” for another one.`
          : '',
      ]
        .join(' ')
        .trim(),
    ),
  );
}

function firstDay(stopped: readonly StoppedPerson[]): string {
  const [first] = stopped.map(({ on }) => on).toSorted();
  return first === undefined ? '–' : formatDay(first);
}

/** As a share of the credits of all stopped people. */
function preventedShareOf(stopped: readonly StoppedPerson[]): string {
  const used = stopped.reduce((sum, one) => sum + one.used, 0);
  const prevented = stopped.reduce((sum, one) => sum + one.used - one.limit, 0);
  return used === 0 ? '–' : formatShare(prevented, used);
}

export function mostAffected(periods: readonly SimulatedPeriod[]): string[] {
  return emailsOf(casesOf(periods).slice(0, MAX_NAMED));
}

/** Returns each person once, with the period that would have cost them most. */
function casesOf(periods: readonly SimulatedPeriod[]) {
  const cases = Map.groupBy(
    periods.flatMap(({ stopped }) => stopped),
    ({ email }) => email,
  );
  return [...cases]
    .map(([email, theirs]) => ({
      email,
      count: theirs.length,
      worst: theirs.toSorted((a, b) => b.preventedShare - a.preventedShare)[0],
    }))
    .toSorted((a, b) => b.count - a.count || (b.worst?.preventedShare ?? 0) - (a.worst?.preventedShare ?? 0));
}

function namedLines(
  periods: readonly SimulatedPeriod[],
  unit: SimulatedUnit,
  nameOf: (email: string) => string,
): string[] {
  const lines = casesOf(periods).flatMap(({ email, count, worst }) =>
    worst
      ? [
          `${nameOf(email)}: in ${count} of ${countOf(periods.length, unit)}, at worst from ${formatDay(worst.on)}, ${formatShare(worst.preventedShare, 1)} of ${formatCompact(worst.used)}`,
        ]
      : [],
  );
  return withRest(lines, MAX_NAMED, (remaining) => countOf(remaining, 'more person', 'more people'));
}
