import { percentOf } from '../../statistics.ts';
import { BASELINE_NAMES, type BaselineName } from '../months/baselines.ts';
import { DAYS_LEFT, measureMonthEnds, type MonthCell } from './month-ends.ts';
import { measureRunOuts, type RunOutCell } from './run-outs.ts';
import { HOLIDAYS, measureUnusualDays, type UnusualCell } from './unusual-days.ts';

/** A requirement: what was asked, and what was measured. */
export interface Target {
  name: string;
  asked: string;
  measured: string;
  isMet: boolean;
}

/** How many organizations of each world, and how many people of each habit. */
export interface Rounds {
  unusual: number;
  months: number;
  people: number;
}

/** Measures what is usual, what a month comes to, and whether a limit lasts. */
export function measureOrganizations(rounds: Rounds, seed: number) {
  const unusual = measureUnusualDays(rounds.unusual, seed);
  const months = measureMonthEnds(rounds.months, seed);
  const people = measureRunOuts(rounds.people, seed);
  return {
    figures: { unusual, months, people },
    targets: [...unusualTargets(unusual), ...monthTargets(months), ...peopleTargets(people)],
    lines: [...describeUnusual(unusual), ...describeMonthEnds(months), ...describePeople(people)],
  };
}

const sum = <Item>(items: readonly Item[], measure: (item: Item) => number) =>
  items.reduce((total, item) => total + measure(item), 0);

/** The 95th percentile of a rate of rare events: Wilson (1927), one-sided. */
function upperBound(events: number, of: number): number {
  const z = 1.645;
  const rate = events / of;
  const center = rate + z ** 2 / (2 * of);
  return (center + z * Math.sqrt((rate * (1 - rate)) / of + z ** 2 / (4 * of ** 2))) / (1 + z ** 2 / of);
}

const thousandth = (share: number) => Math.round(10_000 * share) / 10;

function unusualTargets(cells: readonly UnusualCell[]): Target[] {
  const alarms = cells.flatMap((cell) =>
    (['workdays', 'offDays'] as const).flatMap((kind) => {
      const { days, high, low } = cell[kind];
      if (days === 0) return [];
      const most = cell.people <= 3 || cell.isHeavyTailed ? 20 : 10;
      const bound = thousandth(upperBound(high + low, days));
      return [{ cell: `${cell.world}, ${kind === 'workdays' ? 'workdays' : 'days off'}`, most, bound }];
    }),
  );
  const worst = (most: number): Target => {
    const [highest] = alarms.filter((one) => one.most === most).toSorted((a, b) => b.bound - a.bound);
    const over = alarms.filter((one) => one.most === most && one.bound > most).length;
    return {
      name: `false alarms per 1,000 days${most === 20 ? ', 3 people and heavy tails' : ''}, upper bound in the worst world`,
      asked: `≤ ${most}`,
      measured: `${highest?.bound} (${highest?.cell}); ${over} of ${alarms.filter((one) => one.most === most).length} above`,
      isMet: over === 0,
    };
  };
  const sixty = cells.filter(
    ({ people, found }) => people === 60 && sum(Object.values(found), (one) => one.judged) > 0,
  );
  const ordinary = sixty.filter(({ isHeavyTailed }) => !isHeavyTailed);
  const foundShare = (kind: 'double' | 'triple' | 'zero', holidays: readonly number[]) => {
    const found = ordinary.flatMap((cell) => holidays.flatMap((count) => cell.found[count] ?? []));
    return percentOf(
      sum(found, (one) => one[kind]),
      sum(found, (one) => (kind === 'zero' ? one.zeroJudged : one.judged)),
    );
  };
  const detection = (name: string, share: number, least: number): Target => ({
    name: `60 people: ${name}`,
    asked: `≥ ${least} %`,
    measured: `${share} %`,
    isMet: share >= least,
  });
  const some = HOLIDAYS.filter((count) => count > 0);
  return [
    worst(10),
    worst(20),
    detection('a day ×2 found, without holidays', foundShare('double', [0]), 95),
    ...some.map((count) => detection(`a day ×2 found, after ${count} holidays`, foundShare('double', [count]), 85)),
    detection('a day ×3 found, after any number', foundShare('triple', HOLIDAYS), 99),
    detection('a workday without use found, after any number', foundShare('zero', HOLIDAYS), 99),
  ];
}

const bestOf = (cells: readonly MonthCell[]): BaselineName =>
  BASELINE_NAMES.toSorted(
    (a, b) => sum(cells, (cell) => cell.offBaselines[a]) - sum(cells, (cell) => cell.offBaselines[b]),
  )[0] ?? 'seasonal naive';

const MAX_RATIO = 1.15;
/** In percent of the month. */
const MAX_DIFFERENCE = 0.3;
/** A world in which hardly a range is shown has no coverage. */
const LEAST_RANGES = 0.2;

function monthTargets(cells: readonly MonthCell[]): Target[] {
  return DAYS_LEFT.flatMap((daysLeft) => {
    const own = cells.filter((cell) => cell.daysLeft === daysLeft && cell.months > 0);
    const best = bestOf(own);
    const ratio = sum(own, (cell) => cell.off) / sum(own, (cell) => cell.offBaselines[best]);
    const worse = own.filter((cell) => {
      const [error, other] = [(100 * cell.off) / cell.months, (100 * cell.offBaselines[best]) / cell.months];
      return error > MAX_RATIO * other && error > other + MAX_DIFFERENCE;
    });
    const ranges = own.filter((cell) => cell.ranges >= LEAST_RANGES * cell.months);
    const outside = ranges.filter((cell) => {
      const inside = (100 * cell.inside) / cell.ranges;
      return inside < 70 || inside > 92;
    });
    const inside = percentOf(
      sum(own, (cell) => cell.inside),
      sum(own, (cell) => cell.ranges),
    );
    const shown = percentOf(
      sum(own, (cell) => cell.calmRanges),
      sum(own, (cell) => cell.months - cell.shocks),
    );
    const names = (some: readonly MonthCell[]) =>
      some.length === 0 ? 'none' : some.map(({ world }) => world).join(', ');
    return [
      {
        name: `${daysLeft} days left: error to that of ${best}`,
        asked: '≤ 1',
        measured: String(Math.round(100 * ratio) / 100),
        isMet: ratio <= 1,
      },
      {
        name: `${daysLeft} days left: worlds with more than 1.15 times its error`,
        asked: 'none',
        measured: names(worse),
        isMet: worse.length === 0,
      },
      {
        name: `${daysLeft} days left: in the likely range`,
        asked: '75–88 %',
        measured: `${inside} %`,
        isMet: inside >= 75 && inside <= 88,
      },
      {
        name: `${daysLeft} days left: worlds outside of 70–92 %`,
        asked: 'none',
        measured: names(outside),
        isMet: outside.length === 0,
      },
      {
        name: `${daysLeft} days left: with a range, outside of the two weeks after a shock`,
        asked: '≥ 80 %',
        measured: `${shown} %`,
        isMet: shown >= 80,
      },
    ];
  });
}

/** With fewer answers of a kind, its share of wrong ones is chance. */
const LEAST_ANSWERS = 0.02;

function peopleTargets(cells: readonly RunOutCell[]): Target[] {
  return cells.flatMap((cell) => {
    const { habit, people, open, lasts, lastsWrongly, reached, reachedWrongly, ranges, inside } = cell;
    const share = (name: string, part: number, whole: number, least: number, most: number): Target[] => {
      if (whole < LEAST_ANSWERS * people) return [];
      const measured = percentOf(part, whole);
      const asked = least === 0 ? `≤ ${most} %` : `${least}–${most} %`;
      return [
        { name: `${habit}: ${name}`, asked, measured: `${measured} %`, isMet: measured >= least && measured <= most },
      ];
    };
    return [
      ...share('the range of dates holds', inside, ranges, 75, 95),
      ...share('“it lasts” is wrong', lastsWrongly, lasts, 0, 20),
      ...share('“you reach it” is wrong', reachedWrongly, reached, 0, 20),
      ...share('too little is known', open, people, 0, habit === 'steady' ? 20 : 50),
    ];
  });
}

const row = (name: string, values: readonly string[], width = 15) =>
  `  ${name.padEnd(34)}${values.map((value) => value.padStart(width)).join('')}`;

function describeUnusual(cells: readonly UnusualCell[]): string[] {
  return [
    'False alarms per 1,000 days, high / low, and days found (×2 / ×3 / no use, in percent) by the number of holidays before:',
    row('', ['workdays', 'days off', ...HOLIDAYS.map((count) => `${count} holidays`)]),
    ...cells.map(({ world, workdays, offDays, found }) => {
      const rate = ({ days, high, low }: UnusualCell['workdays']) =>
        days === 0 ? '–' : `${thousandth(high / days)} / ${thousandth(low / days)}`;
      const shares = HOLIDAYS.map((count) => {
        const one = found[count];
        if (!one || one.judged === 0) return '–';
        const share = (part: number, whole: number) => Math.round(percentOf(part, whole));
        return `${share(one.double, one.judged)} / ${share(one.triple, one.judged)} / ${share(one.zero, one.zeroJudged)}`;
      });
      return row(world, [rate(workdays), rate(offDays), ...shares]);
    }),
  ];
}

function describeMonthEnds(cells: readonly MonthCell[]): string[] {
  return DAYS_LEFT.flatMap((daysLeft) => [
    `Forecasts ${daysLeft} days before the end of the month, in percent:`,
    row('', ['error', ...BASELINE_NAMES, 'with range', 'inside']),
    ...cells
      .filter((cell) => cell.daysLeft === daysLeft && cell.months > 0)
      .map(({ world, months, off, offBaselines, ranges, inside }) =>
        row(world, [
          ...[off, ...BASELINE_NAMES.map((name) => offBaselines[name])].map((one) => ((100 * one) / months).toFixed(2)),
          String(percentOf(ranges, months)),
          ranges === 0 ? '–' : String(percentOf(inside, ranges)),
        ]),
      ),
  ]);
}

function describePeople(cells: readonly RunOutCell[]): string[] {
  return [
    '“Will I run out?”, in percent:',
    row('', ['too little', 'lasts', '… wrong', 'reached', '… wrong', 'dates hold', 'sums hold']),
    ...cells.map(
      ({ habit, people, open, lasts, lastsWrongly, reached, reachedWrongly, ranges, inside, sums, sumsInside }) =>
        row(
          habit,
          [
            [open, people],
            [lasts, people],
            [lastsWrongly, lasts],
            [reached, people],
            [reachedWrongly, reached],
            [inside, ranges],
            [sumsInside, sums],
          ].map(([part = 0, whole = 0]) => (whole === 0 ? '–' : String(percentOf(part, whole)))),
        ),
    ),
  ];
}
