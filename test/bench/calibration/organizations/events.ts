import type { Noise } from '../noise.ts';
import { between, NO_EFFECT, workdaysBefore, type DayEffect, type OrganizationDay } from './organization.ts';

/** `isEvent`: the day is rightly called unusual, so that a message about it is no false alarm. */
export type MarkedEffect = DayEffect & { isEvent: boolean };

/** @param at the index of the first judged day */
export type Event = (noise: Noise, days: readonly OrganizationDay[], at: number) => MarkedEffect[];

const unmarked = (factor: number): MarkedEffect => ({ ...NO_EFFECT, factor, isEvent: false });
const ORDINARY = unmarked(1);

export const none: Event = (_noise, days) => days.map(() => ORDINARY);

/** Two weeks of a sprint, whose second one ends busier. */
export const sprints: Event = (noise, days) => {
  const [size, shift] = [between(noise, 0.08, 0.2), Math.floor(14 * noise.uniform())];
  return days.map((_, index) => unmarked(1 + size * Math.sin((2 * Math.PI * (index + shift)) / 14)));
};

/** Each fourth week, two days on which a release leaves. */
export const releaseTrains: Event = (noise, days) => {
  const [size, shift] = [between(noise, 1.15, 1.35), Math.floor(28 * noise.uniform())];
  return days.map((_, index) => ((index + shift) % 28 < 2 ? { presence: 1, factor: size, isEvent: true } : ORDINARY));
};

/** An S-curve to several times the use, anywhere around the judged days. */
export const adoption: Event = (noise, days, at) => {
  const [times, middle, width] = [between(noise, 2, 6), at + between(noise, -60, 30), between(noise, 12, 20)];
  return days.map((_, index) => unmarked(1 + (times - 1) / (1 + Math.exp((middle - index) / width))));
};

export const growth =
  (low: number, high: number): Event =>
  (noise, days) => {
    const rate = between(noise, low, high);
    return days.map((_, index) => unmarked((1 + rate) ** (index / 7)));
  };

/** A lasting change; its first two weeks are rightly unusual. */
const stepAt = (days: readonly OrganizationDay[], start: number, factor: number): MarkedEffect[] =>
  days.map((_, index) => ({
    presence: 1,
    factor: index < start ? 1 : factor,
    isEvent: index >= start && index < start + 14,
  }));

/** A cheaper model: the credits fall for good. */
export const priceCut: Event = (noise, days, at) =>
  stepAt(days, Math.floor(at + between(noise, -56, 7)), between(noise, 0.25, 0.6));

export const stepUp: Event = (noise, days, at) =>
  stepAt(days, Math.floor(at + between(noise, -56, 7)), between(noise, 1.5, 2.5));

/** Two or three weeks with little use. */
export const freeze: Event = (noise, days, at) => {
  const start = Math.floor(at + between(noise, -60, 7));
  const [length, factor] = [between(noise, 10, 21), between(noise, 0.25, 0.5)];
  return days.map((_, index) =>
    index >= start && index < start + length ? { presence: 1, factor, isEvent: true } : ORDINARY,
  );
};

/** Some single workdays on which the platform hardly worked. */
export const outages: Event = (noise, days) =>
  days.map(({ isWorkday }) =>
    isWorkday && noise.uniform() < 1 / 30 ? { presence: 1, factor: between(noise, 0.1, 0.5), isEvent: true } : ORDINARY,
  );

/** Single holidays, on average one workday in sixteen. */
export const scatteredHolidays: Event = (noise, days) =>
  days.map(({ isWorkday }) =>
    isWorkday && noise.uniform() < 1 / 16 ? { presence: between(noise, 0, 0.2), factor: 1, isEvent: true } : ORDINARY,
  );

/** This number of workdays in a row without work, that end some weeks before the judged days. */
export const holidayBlock =
  (workdays: number, weeksBefore: number): Event =>
  (noise, days, at) => {
    const end = at - 7 * weeksBefore;
    const start = workdays === 0 ? end : workdaysBefore(days, end, workdays);
    const presence = between(noise, 0, 0.1);
    return days.map((_, index) => (index >= start && index < end ? { presence, factor: 1, isEvent: true } : ORDINARY));
  };

/** The same number of workdays with much more use than usual. */
export const hackWeek =
  (workdays: number, weeksBefore: number): Event =>
  (noise, days, at) => {
    const factor = between(noise, 1.8, 3);
    return holidayBlock(workdays, weeksBefore)(noise, days, at).map(({ isEvent }) =>
      isEvent ? { presence: 1, factor, isEvent } : ORDINARY,
    );
  };

/** The effects of several events on the same days. */
export const allOf =
  (...events: readonly Event[]): Event =>
  (noise, days, at) => {
    const each = events.map((event) => event(noise, days, at));
    return days.map((_, index) => ({
      presence: each.reduce((product, one) => product * (one[index]?.presence ?? 1), 1),
      factor: each.reduce((product, one) => product * (one[index]?.factor ?? 1), 1),
      isEvent: each.some((one) => one[index]?.isEvent === true),
    }));
  };
