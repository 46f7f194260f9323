import {
  DAYS_IN_A_WEEK,
  lengthOf,
  mondayOf,
  plusDays,
  weekdayOf,
  type Day,
  type Period,
} from '../../base/time/calendar.ts';

/** From this length on, a chart shows weeks. */
const LONG_DAYS = 21;
/** A part of a week with fewer days joins its neighbor: few people may work on a weekend. */
const LEAST_DAYS = 5;

const FRIDAY = 5;

/**
 * Cuts a period into parts whose sums may be shown where those of single days may not: Monday to Thursday each day, then
 * Friday to Sunday; a long period into weeks. No part is a weekend alone, on which few people work.
 * The cut is fixed and not learned from the days: blocks that moved would overlap those shown before, and be refused. Pure.
 * @example blocksOf({ first: '2026-03-02', last: '2026-03-08' }) // Monday, Tuesday, Wednesday, Thursday, 6–8 March
 */
export function blocksOf(period: Period): Period[] {
  return lengthOf(period) < LONG_DAYS ? workweekBlocks(period) : weeks(period);
}

/** The last day of the block that a day is in. */
function lastOfBlock(day: Day): Day {
  const weekday = weekdayOf(day);
  if (weekday >= 1 && weekday < FRIDAY) return day;
  return plusDays(mondayOf(day), DAYS_IN_A_WEEK - 1);
}

function workweekBlocks({ first, last }: Period): Period[] {
  const blocks: Period[] = [];
  for (let day = first; day <= last;) {
    const end = lastOfBlock(day);
    const isLeadingWeekend = blocks.length === 0 && [0, 6].includes(weekdayOf(day));
    const block = { first: day, last: earlierOf(isLeadingWeekend ? plusDays(end, 1) : end, last) };
    blocks.push(block);
    day = plusDays(block.last, 1);
  }
  return blocks;
}

function weeks({ first, last }: Period): Period[] {
  const all: Period[] = [];
  for (let day = first; day <= last;) {
    const week = { first: day, last: earlierOf(plusDays(mondayOf(day), DAYS_IN_A_WEEK - 1), last) };
    const before = all.at(-1);
    const joins = before && (lengthOf(week) < LEAST_DAYS || lengthOf(before) < LEAST_DAYS);
    if (joins) all[all.length - 1] = { first: before.first, last: week.last };
    else all.push(week);
    day = plusDays(week.last, 1);
  }
  return all;
}

/**
 * The whole workweek blocks within a period: its first part week and a last part of a Friday to Sunday are left out, so
 * that the blocks of next week’s message are the same. Pure.
 */
export function wholeBlocks({ first, last }: Period): Period[] {
  const monday = mondayOf(first) === first ? first : plusDays(mondayOf(first), DAYS_IN_A_WEEK);
  if (monday > last) return [];
  return workweekBlocks({ first: monday, last }).filter((block) => block.last === lastOfBlock(block.first));
}

const earlierOf = (one: Day, other: Day) => (one < other ? one : other);
