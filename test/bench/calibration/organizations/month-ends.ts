import type { DailyCreditsRow } from '../../../../src/core/analytics/day-facts.ts';
import { type ToldDay, withLikelyTotals } from '../../../../src/core/analytics/reading/told-credits.ts';
import { forecastPeriod } from '../../../../src/core/figures/insight/forecast.ts';
import { BASELINE_NAMES, BASELINES, type BaselineName } from '../months/baselines.ts';
import { createNoise, type Noise } from '../noise.ts';
import * as events from './events.ts';
import {
  between,
  NO_EFFECT,
  organizationAmounts,
  organizationDays,
  WEEK_NAMES,
  type OrganizationDay,
  type OrganizationKind,
} from './organization.ts';

export const DAYS_LEFT = [25, 15, 5, 1] as const;
const HISTORY_DAYS = 92;
const DAY_MS = 86_400_000;
const PEOPLE = [12, 25, 60, 200];
const SHOCK_DAYS = 14;
/** Of which a store knows what was told. */
const TOLD_DAYS = 56;

interface MonthWorld {
  name: string;
  people?: number;
  isHeavyTailed?: boolean;
  /** @param at the index of the first day of the month */
  effects: events.Event;
  /** Whether the platform tells fresh days in part at first. */
  isRestated?: boolean;
  /** Mornings before its shock are left out: nobody can know of it. */
  hasShock?: boolean;
}

/** A holiday somewhere in the month before or in the month itself. */
const holidayWeek: events.Event = (noise, days, at) => {
  const weeks = Math.floor(between(noise, -4, 7));
  return events.holidayBlock(5, weeks)(noise, days, at);
};

const freezeFromThe20th: events.Event = (noise, days, at) => {
  const factor = between(noise, 0.2, 0.5);
  return days.map((_, index) => ({
    presence: 1,
    factor: index >= at + 19 ? factor : 1,
    isEvent: index >= at + 19,
  }));
};

const priceCutOnThe1st: events.Event = (noise, days, at) => {
  const factor = between(noise, 0.3, 0.6);
  return days.map((_, index) => ({
    presence: 1,
    factor: index >= at ? factor : 1,
    isEvent: index >= at && index < at + SHOCK_DAYS,
  }));
};

const busyMonthEnd: events.Event = (noise, days) => {
  const factor = between(noise, 1.2, 1.6);
  return days.map(({ month, isWorkday }, index) => {
    const later = days.slice(index + 1).filter((one) => one.month === month && one.isWorkday).length;
    const isLast = index + 31 < days.length || days.at(-1)?.month === month;
    return { ...NO_EFFECT, factor: isWorkday && isLast && later < 3 ? factor : 1, isEvent: false };
  });
};

const sometimes =
  (event: events.Event): events.Event =>
  (noise, days, at) =>
    noise.uniform() < 0.4 ? event(noise, days, at) : events.none(noise, days, at);

const MONTH_WORLDS: readonly MonthWorld[] = [
  { name: 'plain', effects: events.none },
  { name: 'plain, 3 people', people: 3, effects: events.none },
  { name: 'heavy tails', isHeavyTailed: true, effects: events.none },
  { name: 'growth 2–6 % a week', effects: events.growth(0.02, 0.06) },
  { name: 'adoption', effects: events.adoption },
  { name: 'sprints', effects: events.sprints },
  { name: 'release trains', effects: events.releaseTrains },
  { name: 'scattered holidays', effects: events.scatteredHolidays },
  { name: 'a holiday week', effects: holidayWeek, hasShock: true },
  { name: 'outages', effects: events.outages },
  { name: 'busy month ends', effects: busyMonthEnd },
  { name: 'step up', effects: events.stepUp },
  { name: 'price cut', effects: events.priceCut },
  { name: 'price cut on the 1st', effects: priceCutOnThe1st },
  { name: 'freeze from the 20th', effects: freezeFromThe20th, hasShock: true },
  { name: 'fresh days restated', effects: events.none, isRestated: true },
  {
    name: 'mixed',
    effects: events.allOf(
      ...[
        events.sprints,
        events.releaseTrains,
        events.scatteredHolidays,
        events.outages,
        events.stepUp,
        holidayWeek,
      ].map(sometimes),
      events.growth(0, 0.02),
    ),
  },
];

export interface MonthCell {
  world: string;
  daysLeft: number;
  months: number;
  /** Mornings within two weeks after the beginning of a shock. */
  shocks: number;
  ranges: number;
  /** Of the mornings without a shock. */
  calmRanges: number;
  inside: number;
  /** Sums of errors, in shares of the month. */
  off: number;
  offBaselines: Record<BaselineName, number>;
}

/** Forecasts the end of one month of each of some organizations on four mornings. */
export function measureMonthEnds(organizations: number, seed: number): MonthCell[] {
  return MONTH_WORLDS.flatMap((world, index) => {
    const noise = createNoise(seed + 1_000 * index);
    const cells = DAYS_LEFT.map((daysLeft): MonthCell => ({
      world: world.name,
      daysLeft,
      months: 0,
      shocks: 0,
      ranges: 0,
      calmRanges: 0,
      inside: 0,
      off: 0,
      offBaselines: { 'seasonal naive': 0, 'median of four': 0, 'Holt-Winters': 0 },
    }));
    for (let one = 0; one < organizations; one += 1) {
      const kind: OrganizationKind = {
        week: WEEK_NAMES[one % WEEK_NAMES.length] ?? 'Mon–Fri',
        people: world.people ?? PEOPLE[Math.floor(PEOPLE.length * noise.uniform())] ?? 25,
        isHeavyTailed: world.isHeavyTailed ?? false,
      };
      const month = Math.floor(24 * noise.uniform());
      const [start, end] = [Date.UTC(2027, month, 1), Date.UTC(2027, month + 1, 1)];
      const length = Math.round((end - start) / DAY_MS);
      const first = new Date(start - HISTORY_DAYS * DAY_MS).toISOString().slice(0, 10);
      const days = organizationDays(first, HISTORY_DAYS + length, kind.week);
      const effects = world.effects(noise, days, HISTORY_DAYS);
      const amounts = organizationAmounts(kind, noise, days, effects);
      for (const cell of cells)
        judge(cell, {
          days,
          amounts,
          effects,
          noise,
          isRestated: world.isRestated ?? false,
          hasShock: world.hasShock ?? false,
        });
    }
    return cells;
  });
}

interface Month {
  days: readonly OrganizationDay[];
  amounts: readonly number[];
  effects: readonly events.MarkedEffect[];
  noise: Noise;
  isRestated: boolean;
  hasShock: boolean;
}

/** What the platform tells of each day on the first and on the second morning after it: a share of its own, more or less. */
function toldDays(noise: Noise, days: readonly OrganizationDay[], amounts: readonly number[], isRestated: boolean) {
  const [firstShare, secondShare] = isRestated ? [between(noise, 0.35, 0.65), between(noise, 0.8, 0.95)] : [1, 1];
  const share = (usual: number) => (isRestated ? Math.min(1, usual * between(noise, 0.85, 1.15)) : 1);
  return amounts.map((amount, index): ToldDay => {
    const age = amounts.length - index;
    const [firstDay, secondDay] = [amount * share(firstShare), amount * share(secondShare)].map(Math.round);
    return {
      day: days[index]?.date ?? '',
      firstDay: firstDay ?? null,
      secondDay: age >= 2 ? (secondDay ?? null) : null,
      settled: age >= 3 ? amount : null,
    };
  });
}

function judge(cell: MonthCell, { days, amounts, effects, noise, isRestated, hasShock }: Month): void {
  const today = days.length - cell.daysLeft;
  const total = amounts.slice(HISTORY_DAYS).reduce((sum, one) => sum + one, 0);
  const begins = effects.findIndex(({ isEvent }, at) => isEvent && at >= today && effects[at - 1]?.isEvent !== true);
  if (total === 0 || (hasShock && begins !== -1)) return;
  const toldRows = toldDays(noise, days, amounts.slice(0, today), isRestated);
  const told = toldRows.map(({ firstDay, secondDay, settled }) => settled ?? secondDay ?? firstDay ?? 0);
  const rows = withLikelyTotals(
    toldRows.map(({ day }, index): DailyCreditsRow => ({ date: day, billable_tokens: told[index] ?? 0 })),
    toldRows.slice(-TOLD_DAYS),
    days[today]?.date ?? '',
  );
  const period = { first: days[HISTORY_DAYS]?.date ?? '', last: days.at(-1)?.date ?? '' };
  const forecast = forecastPeriod(period, rows.slice(HISTORY_DAYS), rows.slice(-HISTORY_DAYS), days[today]?.date ?? '');
  if (forecast.kind !== 'known') throw new Error(`There is no forecast for ${period.last}: ${forecast.kind}`);
  const { expected, range } = forecast.value;
  const from = Math.max(0, today - SHOCK_DAYS);
  const isShock = effects.slice(from, today).some(({ isEvent }) => isEvent);
  cell.months += 1;
  cell.shocks += Number(isShock);
  cell.off += Math.abs(expected - total) / total;
  if (range) {
    cell.ranges += 1;
    cell.calmRanges += Number(!isShock);
    cell.inside += Number(total >= range.lower && total <= range.upper);
  }
  const soFar = told.slice(HISTORY_DAYS).reduce((sum, one) => sum + one, 0);
  for (const name of BASELINE_NAMES)
    cell.offBaselines[name] +=
      Math.abs(soFar + BASELINES[name](told.slice(-HISTORY_DAYS), cell.daysLeft) - total) / total;
}
