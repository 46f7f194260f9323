import { DAYS_LEFT, measureForecast, type ForecastLine } from './calibration-forecast.ts';
import { measureUnusual, type UnusualLine } from './calibration-unusual.ts';
import type { Result } from '../reports.ts';

const MAX_FALSE_ALARMS = 1.5;
/** A holiday may not make the same weekday after it unusual oftener than chance does. */
const MAX_AFTER_HOLIDAY = 1.5;
const LEAST_INSIDE = 70;
const MAX_INSIDE = 90;
const MAX_OFF = 5;
/** Somebody may have used nothing for so long that no earlier forecast can be compared. */
const LEAST_WITH_RANGE = 99;

/** How often a day is called unusual without a cause, and how often a month ends where it was said to. */
export function reportCalibration(options: { organizations: number; months: number }): Result {
  const unusual = measureUnusual(options.organizations);
  const forecast = measureForecast(options.months);
  return {
    figures: { calibration: { ...options, unusual, forecast } },
    lines: [...describeUnusual(unusual, options.organizations), ...describeForecast(forecast, options.months)],
    faults: [...unusual.flatMap(missedByUnusual), ...forecast.flatMap(missedByForecast)],
  };
}

const row = (name: string, values: readonly string[]) =>
  `  ${name.padEnd(24)}${values.map((value) => value.padStart(17)).join('')}`;

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
    if (!(inside >= LEAST_INSIDE && inside <= MAX_INSIDE))
      faults.push(`${where}: ${inside} % of months ended in the range; it must be ${LEAST_INSIDE} to ${MAX_INSIDE} %`);
    if (withRange < LEAST_WITH_RANGE) faults.push(`${where}: only ${withRange} % of months had a range`);
    if (Math.abs(off) >= MAX_OFF) faults.push(`${where}: the middle is off by ${off} %; it must be below ${MAX_OFF} %`);
    return faults;
  });
}
