import type { FourEyes } from '../../../core/base/settings/config.ts';
import { denialOf, involvementOf, isActor, type Actor, type NamedPerson } from '../core/access.ts';
import { mayDecideAlone } from './four-eyes.ts';
import type { LimitDeps } from '../core/limits-deps.ts';

/** Returns every admin with all e-mails by which a request may name them, and whether they decide alone. */
export async function readAdmins({
  config: { fourEyes },
  people,
  knownEmails,
}: Pick<LimitDeps, 'config' | 'people' | 'knownEmails'>): Promise<Actor[]> {
  const ids = await people.admins();
  const admins = await Promise.all(
    ids.map(async (slackId) => {
      const email = (await people.describe(slackId))?.email;
      return knownEmails.complete({ slackId, email, role: 'admin' as const });
    }),
  );
  return admins.map((admin) => ({ ...admin, decidesAlone: mayDecideAlone({ fourEyes, admins }, admin) }));
}

export interface PlannedRequest {
  requester: Pick<Actor, 'slackId' | 'email'>;
  /** Empty if they are not chosen yet. */
  people: readonly NamedPerson[];
}

const involvementIn = ({ requester, people }: PlannedRequest, admin: Actor) =>
  involvementOf(
    { requester: requester.slackId, requesterEmail: requester.email ?? null, people: people.length },
    people.filter((one) => isActor(one, admin)).length,
    admin,
  );

/** Returns the admins who could decide all of a request. Pure. */
export function decidersOf(admins: readonly Actor[], request: PlannedRequest): Actor[] {
  return admins.filter((admin) => {
    const involvement = involvementIn(request, admin);
    return involvement !== 'among_others' && !denialOf({ action: 'decide', involvement }, admin);
  });
}

/** @example whyUndecidable([ada], { requester: ada, people: [ada] }, 'required') // 'No other admin could decide this: you are the only one …' */
export function whyUndecidable(
  admins: readonly Actor[],
  request: PlannedRequest,
  fourEyes: FourEyes,
): string | undefined {
  if (decidersOf(admins, request).length > 0) return undefined;
  const [only] = admins;
  if (!only) return `No admin could decide this: Quartermaster has none. ${REMEDY}.`;
  if (admins.length > 1)
    return 'No admin could decide this: every admin requested it or is among its people. Leave one of them out, or ask the server operator to add another admin to ADMINS.';
  const involvement = involvementIn(request, only);
  switch (involvement) {
    case 'requester_for_others':
      return fourEyes === 'required'
        ? `${ONLY_YOU} ${REMEDY}, or to set FOUR_EYES=when-possible: then you can decide your requests for others.`
        : 'Quartermaster can’t read from the platform which e-mails are yours, so you can’t decide this alone now. Try again later.';
    case 'requester':
      return fourEyes === 'when-possible' && request.people.length > 1
        ? `${ONLY_YOU} Leave yourself out: then you can decide it. For your own limit, another admin is needed.`
        : `${ONLY_YOU} ${REMEDY}.`;
    case 'none':
    case 'among_others':
    case 'only_them':
      return `No other admin could decide this: it is also for the only one. ${REMEDY}.`;
    default:
      return involvement satisfies never;
  }
}

const ONLY_YOU = 'No other admin could decide this: you are the only one.';
const REMEDY = 'Ask the server operator to add another admin to ADMINS';
