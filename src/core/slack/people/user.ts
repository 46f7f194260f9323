import { z } from 'zod';
import type { Logger } from '../../base/log.ts';
import type { Clock } from '../../base/time/clock.ts';
import { withinTime } from '../../base/time/turns.ts';

/** Drops all other parts of a user, since there may be 50,000. */
export const userSchema = z.object({
  id: z.string(),
  team_id: z.string().optional(),
  name: z.string().optional(),
  deleted: z.boolean().optional(),
  is_bot: z.boolean().optional(),
  is_restricted: z.boolean().optional(),
  is_ultra_restricted: z.boolean().optional(),
  is_stranger: z.boolean().optional(),
  is_admin: z.boolean().optional(),
  is_owner: z.boolean().optional(),
  is_primary_owner: z.boolean().optional(),
  tz: z.string().nullish(),
  enterprise_user: z.object({ teams: z.array(z.string()).optional() }).optional(),
  profile: z
    .looseObject({
      email: z.string().nullish(),
      real_name: z.string().nullish(),
      display_name: z.string().nullish(),
      status_emoji: z.string().nullish(),
      status_text: z.string().nullish(),
      status_expiration: z.number().nullish(),
    })
    .optional(),
});
export type SlackUser = z.infer<typeof userSchema>;

/** The e-mail is in lower case, as on the platform. */
export function describeUser(user: SlackUser) {
  const { profile } = user;
  return {
    name: profile?.real_name || profile?.display_name || user.name || user.id,
    email: profile?.email?.trim().toLowerCase() || undefined,
  };
}

/** The status that a person has set in Slack. */
export interface SlackStatus {
  /** Such as `:palm_tree:`; empty without one. */
  emoji: string;
  text: string;
}

/** Returns undefined without a status, and after its end. Pure. */
export function statusOf({ profile }: Pick<SlackUser, 'profile'>, now: Date): SlackStatus | undefined {
  const { status_emoji: emoji, status_text: text, status_expiration: endSeconds } = profile ?? {};
  const isOver = Boolean(endSeconds) && (endSeconds ?? 0) * 1_000 <= now.getTime();
  return isOver || (!emoji && !text) ? undefined : { emoji: emoji ?? '', text: text ?? '' };
}

/** An answer without the names of people to ask is better than a late one. */
const PATIENCE_MS = 1_000;

/** None if Slack doesn’t answer in time. */
export async function readContacts(
  { clock, log }: { clock: Clock; log: Logger },
  read: () => Promise<string[]>,
): Promise<string[]> {
  const reading = read().catch((error: unknown) => {
    log.warn({ err: error }, 'Reading the admins failed, so an answer names none');
    return [];
  });
  return withinTime(clock, PATIENCE_MS, reading, []);
}
