import type { SlackStatus } from '../../slack/people/user.ts';

/** Emoji of the statuses that Slack offers to people who do not work. */
const AWAY_EMOJI = new Set([':palm_tree:', ':face_with_thermometer:', ':desert_island:', ':beach_with_umbrella:']);
const AWAY_WORDS =
  /\b(?:away|vacation(?:ing)?|holidays?|ooo|out of (?:the )?office|out sick|sick|on leave|parental leave|pto|day off|off today)\b/i;

/** Whether a Slack status says that the person does not work now. The presence of Slack is not used. Pure. */
export function isAway(status: SlackStatus | undefined): boolean {
  return status !== undefined && (AWAY_EMOJI.has(status.emoji) || AWAY_WORDS.test(status.text));
}
