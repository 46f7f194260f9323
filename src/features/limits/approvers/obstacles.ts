import type { LimitDeps } from '../core/limits-deps.ts';
import type { LimitRequest } from '../core/limit-tables.ts';
import { ownRowsOf } from '../core/requests.ts';
import { denialOf, involvementOf, type Actor } from '../core/access.ts';
import { readAdmins } from '../rights/deciders.ts';
import type { ApproverRules } from './approver-rules.ts';
import { TEAM, type Obstacle } from '../core/approver-tables.ts';
import { isFirstApprover } from './second-approval.ts';
import type { SlackStatus } from '../../../core/slack/people/user.ts';

/** Emoji of the statuses that Slack offers to people who do not work. */
const AWAY_EMOJI = new Set([':palm_tree:', ':face_with_thermometer:', ':desert_island:', ':beach_with_umbrella:']);
const AWAY_WORDS =
  /\b(?:away|vacation(?:ing)?|holidays?|ooo|out of (?:the )?office|out sick|sick|on leave|parental leave|pto|day off|off today)\b/i;

/** Whether a Slack status says that the person does not work now. The presence of Slack is not used. Pure. */
export function isAway(status: SlackStatus | undefined): boolean {
  return status !== undefined && (AWAY_EMOJI.has(status.emoji) || AWAY_WORDS.test(status.text));
}

/** Completes the sentence “Nora was skipped: …”. */
export const OBSTACLE_WORDS: Readonly<Record<Obstacle, string>> = {
  not_admin: 'not an admin',
  own_request: 'the request is theirs or for them',
  first_approver: 'they gave the first approval',
  away: 'away by their Slack status',
  beyond_team: 'nobody who leads their team can approve this now',
};

type Query = {
  candidates: readonly string[];
  rules: Pick<ApproverRules, 'skipsAway'>;
  /** The leads of the team who can decide the request; undefined if no team is asked. */
  leads?: readonly string[] | undefined;
};

/** @param request without it, only what holds for every request */
export async function readObstacles(
  deps: LimitDeps,
  request: LimitRequest | undefined,
  { candidates, rules, leads = [] }: Query,
): Promise<Map<string, Obstacle>> {
  const admins = await readAdmins(deps);
  const obstacles = new Map<string, Obstacle>();
  for (const slackId of candidates) {
    if (slackId === TEAM) {
      if (leads.length === 0) obstacles.set(slackId, 'beyond_team');
      continue;
    }
    const obstacle = await obstacleOf(
      deps,
      request,
      admins.find((admin) => admin.slackId === slackId),
    );
    const isSkipped = rules.skipsAway && obstacle === undefined && isAway(await deps.people.status(slackId));
    if (obstacle ?? isSkipped) obstacles.set(slackId, obstacle ?? 'away');
  }
  return obstacles;
}

async function obstacleOf(
  { db }: LimitDeps,
  request: LimitRequest | undefined,
  admin: Actor | undefined,
): Promise<Obstacle | undefined> {
  if (!admin) return 'not_admin';
  if (!request) return undefined;
  const own = await ownRowsOf(db, request.id, admin);
  const involvement = involvementOf(request, own.length, admin);
  if (denialOf({ action: 'decide', involvement }, admin)) return 'own_request';
  return isFirstApprover(request, admin) ? 'first_approver' : undefined;
}
