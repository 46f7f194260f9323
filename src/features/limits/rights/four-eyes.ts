import type { FourEyes } from '../../../core/base/settings/config.ts';
import type { LimitDeps } from '../core/limits-deps.ts';
import { isActor, type Actor } from '../core/access.ts';
import type { MaybeLead } from '../core/lead.ts';

export interface AdminFacts {
  fourEyes: FourEyes;
  /** Undefined if Slack did not list them. */
  admins: readonly Omit<Actor, 'role'>[] | undefined;
}

/** Whether an admin may decide requests made for others: as the setting allows, if surely the only admin. Pure. */
export function mayDecideAlone({ fourEyes, admins }: AdminFacts, actor: Actor): boolean {
  if (fourEyes !== 'when-possible' || actor.role !== 'admin' || actor.areEmailsUnsure || !admins) return false;
  return admins.some((admin) => admin.slackId === actor.slackId) && admins.every((admin) => isActor(admin, actor));
}

/** Adds everything that decides which requests concern the person, and whether they decide alone. */
export async function completeActor<Person extends Actor>(
  deps: Pick<LimitDeps, 'config' | 'people' | 'knownEmails' | 'log'>,
  person: Person,
): Promise<Person & Actor> {
  const actor = await deps.knownEmails.complete(person);
  const { fourEyes } = deps.config;
  if (fourEyes === 'required' || actor.role !== 'admin') return actor;
  return { ...actor, decidesAlone: mayDecideAlone({ fourEyes, admins: await listAdmins(deps) }, actor) };
}

/** The same for a person who may lead the team of the request. */
export const completeDecider = async <Person extends Actor>(
  deps: Parameters<typeof completeActor>[0] & Pick<LimitDeps, 'policies'>,
  person: Person,
  requestId: string,
): Promise<Person & MaybeLead & Actor> => completeActor(deps, await deps.policies.asLead(person, requestId));

async function listAdmins({ people, log }: Pick<LimitDeps, 'people' | 'log'>): Promise<AdminFacts['admins']> {
  try {
    const ids = await people.admins();
    return await Promise.all(
      ids.map(async (slackId) => ({ slackId, email: (await people.describe(slackId))?.email?.toLowerCase() })),
    );
  } catch (error) {
    log.warn({ err: error }, 'Slack did not list the admins, so no admin decides alone for now');
    return undefined;
  }
}
