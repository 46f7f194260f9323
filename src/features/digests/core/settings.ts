import { z } from 'zod';
import { ordinal } from '../../../core/base/text/numbers.ts';
import { EVERY_DAY, type Schedule } from '../../../core/schedule/occurrences.ts';

/** How often a digest comes, which determines the days that it covers. */
export const CADENCES = ['daily', 'weekdays', 'weekly', 'monthly'] as const;
export type Cadence = (typeof CADENCES)[number];

const audienceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('organization') }),
  z.object({ kind: z.literal('team'), id: z.string(), handle: z.string() }),
  z.object({ kind: z.literal('people'), ids: z.array(z.string()).min(1) }),
]);
export type Audience = z.infer<typeof audienceSchema>;

/** The settings of a `digest` subscription. The digest of the server settings stores none and uses the defaults. */
export const digestSettingsSchema = z.object({
  cadence: z.enum(CADENCES).default('daily'),
  /** Ids of sections; undefined: the default sections. */
  sections: z.array(z.string()).optional(),
  audience: audienceSchema.default({ kind: 'organization' }),
  /** `when_needed`: a daily digest about the organization is skipped if nothing needs attention. */
  send: z.enum(['always', 'when_needed']).default('always'),
});
export type DigestSettings = z.infer<typeof digestSettingsSchema>;

const WEEKDAYS = [1, 2, 3, 4, 5];
export const WEEKDAY_NAMES = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

export type Rhythm =
  | { cadence: 'daily' | 'weekdays' }
  | { cadence: 'weekly'; weekday: number }
  | { cadence: 'monthly'; monthDay: number };

export function scheduleOf(rhythm: Rhythm, at: string, zone: string): Schedule {
  switch (rhythm.cadence) {
    case 'daily':
      return { days: EVERY_DAY, at, zone };
    case 'weekdays':
      return { days: WEEKDAYS, at, zone };
    case 'weekly':
      return { days: [rhythm.weekday], at, zone };
    case 'monthly':
      return { monthDay: rhythm.monthDay, at, zone };
    default:
      return rhythm satisfies never;
  }
}

/** @example describeSchedule('weekly', schedule) // 'every Monday at 09:00 (Europe/Berlin)' */
export function describeSchedule(cadence: Cadence, schedule: Schedule): string {
  const time = `at ${schedule.at} (${schedule.zone})`;
  if ('monthDay' in schedule) return `on the ${ordinal(schedule.monthDay)} of each month ${time}`;
  if (cadence === 'weekdays') return `Monday to Friday ${time}`;
  if (cadence === 'weekly') {
    const names = schedule.days.map((day) => WEEKDAY_NAMES[day - 1] ?? '');
    return `every ${names.join(', ')} ${time}`;
  }
  return `every day ${time}`;
}

const CADENCE_NAMES: Record<Cadence, string> = {
  daily: 'Daily digest',
  weekdays: 'Daily digest',
  weekly: 'Weekly digest',
  monthly: 'Monthly digest',
};

export const nameOf = (cadence: Cadence): string => CADENCE_NAMES[cadence];
