import type { Config } from '../../../core/base/settings/config.ts';
import type { Identifiers } from '../../../core/base/privacy/pseudonyms.ts';
import { hasRole } from '../../../core/base/roles.ts';
import type { People } from '../../../core/slack/people/people.ts';
import { listActionsBy } from '../../../core/store/audit.ts';
import type { Database } from '../../../core/store/tables.ts';

/** Actions of members for themselves. Other actions in the audit need a role or decide something about others. */
const OWN_ACTIONS: readonly { about: string; actions?: ReadonlySet<string> }[] = [
  { about: 'hooks:' },
  { about: 'heads-up:' },
  { about: 'session:' },
  { about: 'computers:' },
  { about: 'limits:', actions: new Set(['asked', 'answered', 'withdrawn']) },
];

const isOwnAction = ({ about, action }: { about: string; action: string }) =>
  OWN_ACTIONS.some((entry) => about.startsWith(entry.about) && (!entry.actions || entry.actions.has(action)));

/** Whether a person decided something, or did something only for managers and admins, according to the audit. */
export async function hasDecided(db: Database, { slackId }: Identifiers): Promise<boolean> {
  if (slackId.length === 0) return false;
  return (await listActionsBy(db, slackId)).some((entry) => !isOwnAction(entry));
}

/** Whether erasing a person needs a second admin: they are an admin or manager, or decided something. */
export async function isProtected(
  { db, people, config }: { db: Database; people: People; config: Pick<Config, 'admins' | 'managers'> },
  identifiers: Identifiers,
): Promise<boolean> {
  const named = [...(config.admins ?? []), ...config.managers];
  if (named.some((one) => one.kind === 'email' && identifiers.email.includes(one.email))) return true;
  if (named.some((one) => one.kind === 'user' && identifiers.slackId.includes(one.id))) return true;
  for (const slackId of identifiers.slackId) {
    const identification = await people.identifyAfresh(slackId);
    if (identification.kind === 'known' && hasRole(identification.person.role, 'manager')) return true;
  }
  return hasDecided(db, identifiers);
}
