import { involvementOf, isActor, type Actor, type NamedPerson } from './access.ts';
import type { LimitDeps } from '../core/limits-deps.ts';

/** Returns every admin with all e-mails by which a request may name them. */
export async function readAdmins({ people, knownEmails }: Pick<LimitDeps, 'people' | 'knownEmails'>): Promise<Actor[]> {
  const ids = await people.admins();
  return Promise.all(
    ids.map(async (slackId) => {
      const email = (await people.describe(slackId))?.email;
      return knownEmails.complete({ slackId, email, role: 'admin' as const });
    }),
  );
}

/** @example whyUndecidable([ada], ada, [ada]) // 'No other admin could decide this: you are the only one …' */
export function whyUndecidable(
  admins: readonly Actor[],
  requester: Pick<Actor, 'slackId' | 'email'>,
  people: readonly NamedPerson[],
): string | undefined {
  const request = { requester: requester.slackId, requesterEmail: requester.email ?? null, people: people.length };
  const mayDecide = (admin: Actor) =>
    involvementOf(request, people.filter((one) => isActor(one, admin)).length, admin) === 'none';
  if (admins.some((admin) => mayDecide(admin))) return undefined;
  if (admins.length === 0) return `No admin could decide this: Quartermaster has none. ${REMEDY}`;
  const [only] = admins;
  const isRequester = only && isActor({ slackId: requester.slackId, email: requester.email }, only);
  if (admins.length === 1)
    return `No other admin could decide this: ${isRequester ? 'you are' : 'it is also for'} the only one. ${REMEDY}`;
  return `No admin could decide this: every admin requested it or is among its people. Leave one of them out, or ask the server operator to add another admin to ADMINS.`;
}

const REMEDY = 'Ask the server operator to add another admin to ADMINS.';
