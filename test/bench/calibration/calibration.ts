import type { Result } from '../reports.ts';
import { measureMonths } from './months/measure.ts';
import { describeMonths, missedByMonths, monthLines } from './months/report.ts';
import { describeRealSeries, measureRealSeries } from './real-series.ts';
import { measureOrganizations, type Target } from './organizations/report.ts';
import { measureSteps, measureWeekendWork, type StepLine, type WeekendLine } from './weekend-work.ts';

/** By chance it is 0.7 %; the rest is room for the noise of a run, and for days off on which many work. */
const MAX_FALSE_ALARMS_BY_CLASS = 2.5;
/** In percent of workdays of the second and third week after a step. */
const MAX_ALARMS_AFTER_STEP = 6;
/** People are cheap: each needs one answer. */
const PEOPLE_OF_AN_ORGANIZATION = 20;

/**
 * How often a day is called unusual without a cause, how often a month ends within its forecast, and how often “Will I
 * run out?” is right, in generated worlds.
 * @param options `seed` begins them
 */
export function reportCalibration(options: {
  organizations: number;
  'month-organizations': number;
  seed: number;
}): Result {
  const { organizations, 'month-organizations': months, seed } = options;
  const worlds = measureOrganizations(
    { unusual: organizations, months, people: PEOPLE_OF_AN_ORGANIZATION * organizations },
    seed,
  );
  const weekends = measureWeekendWork(organizations, seed);
  const steps = measureSteps(organizations, seed);
  const monthsOfWorlds = monthLines(measureMonths(months, seed));
  const real = measureRealSeries();
  return {
    figures: { calibration: { ...options, ...worlds, weekends, steps, worlds: monthsOfWorlds, real } },
    lines: [
      ...worlds.lines,
      ...describeWeekends(weekends, steps, seed),
      ...describeMonths(monthsOfWorlds, seed),
      ...describeRealSeries(real),
      ...describeTargets(worlds.targets, seed),
    ],
    faults: [
      ...worlds.targets
        .filter(({ isMet }) => !isMet)
        .map(({ name, asked, measured }) => `${name}: ${measured}, asked ${asked}`),
      ...weekends.flatMap(missedByWeekends),
      ...steps.flatMap(missedBySteps),
      ...missedByMonths(monthsOfWorlds),
    ],
  };
}

function describeTargets(targets: readonly Target[], seed: number): string[] {
  return [
    `Requirements, seed ${seed}:`,
    ...targets.map(({ name, asked, measured }) => `  ${name.padEnd(76)}${asked.padStart(10)}   ${measured}`),
  ];
}

const row = (name: string, values: readonly string[]) =>
  `  ${name.padEnd(32)}${values.map((value) => value.padStart(17)).join('')}`;

function describeWeekends(weekends: readonly WeekendLine[], steps: readonly StepLine[], seed: number): string[] {
  return [
    `Teams that sometimes work at weekends, in percent, seed ${seed}:`,
    row('', ['workdays', 'weekend days', 'weeks with one', 'doubled, caught']),
    ...weekends.map(({ name, workdays, weekends: ofWeekends, weeks, caught }) =>
      row(name, [workdays, ofWeekends, weeks, caught].map(String)),
    ),
    'After a lasting step, in percent of workdays called unusual (how far the usual amount is off), by week:',
    ...steps.map(({ name, alarms, off }) =>
      row(
        name,
        alarms.map((one, week) => `${one} (${off[week]})`),
      ),
    ),
  ];
}

function missedByWeekends({ name, workdays, weekends }: WeekendLine): string[] {
  return [['workdays', workdays] as const, ['days of weekends', weekends] as const].flatMap(([what, alarms]) =>
    alarms > MAX_FALSE_ALARMS_BY_CLASS
      ? [`${name}: ${alarms} % of ${what} are false alarms; ${MAX_FALSE_ALARMS_BY_CLASS} % are allowed`]
      : [],
  );
}

function missedBySteps({ name, alarms }: StepLine): string[] {
  const after = Math.max(...alarms.slice(1));
  return after > MAX_ALARMS_AFTER_STEP
    ? [`${name}: ${after} % of workdays a week later are alarms; ${MAX_ALARMS_AFTER_STEP} % are allowed`]
    : [];
}
