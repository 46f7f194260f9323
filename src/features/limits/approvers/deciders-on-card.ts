import { isFirstApprover } from './second-approval.ts';
import type { LimitDeps } from '../core/limits-deps.ts';
import type { LimitRequest } from '../core/limit-tables.ts';
import { ownRowsOf } from '../core/requests.ts';
import { denialOf, involvementOf, type Actor } from '../core/access.ts';
import { readAdmins } from '../rights/deciders.ts';

/** The names of the first ones, and the number of all. */
export interface CardDeciders {
  names: readonly string[];
  count: number;
}

const MAX_NAMES = 5;

type Decidable = Pick<
  LimitRequest,
  'id' | 'state' | 'requester' | 'requesterEmail' | 'people' | 'firstApprovedBy' | 'firstApprovedEmail'
>;

export async function listDeciders(deps: LimitDeps, request: Decidable): Promise<Actor[]> {
  const deciders: Actor[] = [];
  for (const admin of await readAdmins(deps)) {
    const own = await ownRowsOf(deps.db, request.id, admin);
    const involvement = involvementOf(request, own.length, admin);
    if (!denialOf({ action: 'decide', involvement }, admin) && !isFirstApprover(request, admin)) deciders.push(admin);
  }
  return deciders;
}

/** Returns undefined if Slack does not list the admins: a card without them is better than none. */
export async function nameDeciders(deps: LimitDeps, request: Decidable): Promise<CardDeciders | undefined> {
  try {
    const deciders = await listDeciders(deps, request);
    const described = await Promise.all(
      deciders.slice(0, MAX_NAMES).map(({ slackId }) => deps.people.describe(slackId)),
    );
    return { names: described.flatMap((one) => one?.name ?? []), count: deciders.length };
  } catch (error) {
    deps.log.warn({ err: error, request: request.id }, 'Reading the admins failed, so a card names none');
    return undefined;
  }
}
