import { dayNumberOf, type Day, type Period } from '../../../core/base/time/calendar.ts';

/** How many days before its last day people who use a model are told. */
export const STEPS = [30, 7, 0] as const;
export type Step = (typeof STEPS)[number];

/** A model that retired longer ago is not announced any more: the process was down, or the day was typed late. */
const LATEST_DAYS_AFTER = 7;

export const daysLeft = (retiresOn: Day, today: Day): number => dayNumberOf(retiresOn) - dayNumberOf(today);

/** The step that is due and was not announced; undefined if there is none. A missed step is covered by the next one. */
export function dueStep(
  { retiresOn, toldStep }: { retiresOn: Day; toldStep: number | null },
  today: Day,
): Step | undefined {
  const left = daysLeft(retiresOn, today);
  if (left < -LATEST_DAYS_AFTER) return undefined;
  const step = STEPS.findLast((one) => left <= one);
  return step === undefined || (toldStep !== null && toldStep <= step) ? undefined : step;
}

/** Whether a step falls on the day after one of these days, on which a digest about them is sent. */
export function hasStepAfter(retiresOn: Day, { first, last }: Period): boolean {
  return STEPS.some((step) => {
    const dayBefore = dayNumberOf(retiresOn) - step - 1;
    return dayBefore >= dayNumberOf(first) && dayBefore <= dayNumberOf(last);
  });
}

/** @example whenWords(7) // 'in 7 days' */
export function whenWords(left: number): string {
  if (left === 0) return 'today';
  if (left < 0) return left === -1 ? 'since yesterday' : `since ${-left} days ago`;
  return left === 1 ? 'tomorrow' : `in ${left} days`;
}
