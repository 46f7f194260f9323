import { DAYS_LEFT, measureForecast, type ForecastLine } from './calibration-forecast.ts';
import { measureUnusual, type UnusualLine } from './calibration-unusual.ts';
import type { Result } from '../reports.ts';
import { measureMonths } from './months/measure.ts';
import { describeMonths, missedByMonths, monthLines } from './months/report.ts';
import { measureSteps, measureWeekendWork, type StepLine, type WeekendLine } from './weekend-work.ts';

const MAX_FALSE_ALARMS = 1.5;
/** A holiday may not make the same weekday after it unusual more often than chance does. */
const MAX_AFTER_HOLIDAY = 1.5;
/**
 * A range cannot know its world: the promise is 75 to 85 % over all worlds (`months/report.ts`), so calm ones hold
 * more.
 */
const LEAST_INSIDE = 70;
const MAX_OFF = 5;
/** By chance it is 1 % too high and 0.1 % too low; the rest is room for the noise of a run. */
const MAX_FALSE_ALARMS_BY_CLASS = 2.5;
/** In percent of workdays of the second and third week after a step. */
const MAX_ALARMS_AFTER_STEP = 6;
/** A person without usage for a long time has no earlier forecast to compare. */
const LEAST_WITH_RANGE = 99;

/**
 * How often a day is called unusual without a cause, and how often a month ends within its forecast.
 * @param options `seed` begins the generated organizations with weekend work, steps and the worlds of months
 */
export function reportCalibration(options: {
  organizations: number;
  months: number;
  'month-organizations': number;
  seed: number;
}): Result {
  const { organizations, months, seed } = options;
  const unusual = measureUnusual(organizations);
  const weekends = measureWeekendWork(organizations, seed);
  const steps = measureSteps(organizations, seed);
  const forecast = measureForecast(months);
  const worlds = monthLines(measureMonths(options['month-organizations'], seed));
  return {
    figures: { calibration: { ...options, unusual, weekends, steps, forecast, worlds } },
    lines: [
      ...describeUnusual(unusual, organizations),
      ...describeWeekends(weekends, steps, seed),
      ...describeForecast(forecast, months),
      ...describeMonths(worlds, seed),
    ],
    faults: [
      ...unusual.flatMap(missedByUnusual),
      ...weekends.flatMap(missedByWeekends),
      ...steps.flatMap(missedBySteps),
      ...forecast.flatMap(missedByForecast),
      ...missedByMonths(worlds),
    ],
  };
}

const row = (name: string, values: readonly string[]) =>
  `  ${name.padEnd(32)}${values.map((value) => value.padStart(17)).join('')}`;

function describeUnusual(lines: readonly UnusualLine[], organizations: number): string[] {
  return [
    `Unusual days, in percent, in a week of each of ${organizations} organizations:`,
    row('', ['false alarms', 'weeks with one', 'doubled, caught', 'after holiday']),
    ...lines.map(({ name, falseAlarms, weeksWithAlarm, caught, afterHoliday }) =>
      row(name, [falseAlarms, weeksWithAlarm, caught, afterHoliday].map(String)),
    ),
  ];
}

function missedByUnusual({ name, falseAlarms, caught, leastCaught, afterHoliday }: UnusualLine): string[] {
  const faults: string[] = [];
  if (falseAlarms > MAX_FALSE_ALARMS)
    faults.push(`${name}: ${falseAlarms} % of days are false alarms; ${MAX_FALSE_ALARMS} % are allowed`);
  if (leastCaught !== undefined && caught < leastCaught)
    faults.push(`${name}: ${caught} % of doubled days are caught; it must be ${leastCaught} %`);
  if (afterHoliday > MAX_AFTER_HOLIDAY)
    faults.push(
      `${name}: a holiday makes ${afterHoliday} % of days after it unusual; ${MAX_AFTER_HOLIDAY} % are allowed`,
    );
  return faults;
}

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

function describeForecast(lines: readonly ForecastLine[], months: number): string[] {
  return [
    `Forecasts, in percent of ${months} months that ended in the range (the middle off by; the range ±), by days left:`,
    row(
      '',
      DAYS_LEFT.map((days) => `${days} left`),
    ),
    ...lines.map(({ name, cells }) =>
      row(
        name,
        cells.map(({ inside, off, reach }) => `${Math.round(inside)} (${off}; ±${Math.round(reach)})`),
      ),
    ),
  ];
}

function missedByForecast({ name, cells }: ForecastLine): string[] {
  return cells.flatMap(({ daysLeft, inside, withRange, off }) => {
    const faults: string[] = [];
    const where = `${name}, ${daysLeft} days left`;
    if (!(inside >= LEAST_INSIDE))
      faults.push(`${where}: ${inside} % of months ended in the range; it must be ${LEAST_INSIDE} %`);
    if (withRange < LEAST_WITH_RANGE) faults.push(`${where}: only ${withRange} % of months had a range`);
    if (Math.abs(off) >= MAX_OFF) faults.push(`${where}: the middle is off by ${off} %; it must be below ${MAX_OFF} %`);
    return faults;
  });
}
