import type { Names } from '../../core/base/privacy/disclosure.ts';
import { areSumsAdmitted } from '../../core/figures/groups/shown-sums.ts';
import type { Door } from '../../core/outbox/dispatch.ts';
import type { DeclaredMessage } from '../../core/outbox/poster.ts';
import { isPersonAddress, type PersonReader, type Reader } from '../../core/outbox/reader.ts';
import { findNamingPermission } from '../../core/slack/people/audience.ts';
import type { Services } from '../../core/services.ts';
import { createDisclosureRecord } from './disclosure-log.ts';
import { withStopButton } from './stop-button.ts';

export type DoorDeps = Pick<Services, 'db' | 'clock'> & {
  people: Pick<Services['people'], 'identify' | 'identifyAfresh' | 'groupEvidence'>;
  config: Pick<Services['config'], 'peopleRole' | 'minGroup'>;
};

const NOT_NAMED = 'It shows figures of single people, which its readers may not see.';
const NOT_CHOSEN = 'It shows figures of single people to a channel, and its owner may not choose that.';
const NOT_ADMITTED = 'It shows the total of a team that its readers may not see.';

export function createDoor(deps: DoorDeps): Door {
  const record = createDisclosureRecord(deps);
  return {
    resolveReader: (address, { isRoleFresh }) => resolveReader(deps, address, isRoleFresh),
    admit: async (reader, message) => {
      const { names } = message;
      const refusal = await whyRefused(deps, reader, message);
      if (refusal !== undefined || names === 'nobody') return refusal;
      if (reader.kind === 'person') await record({ to: reader.slackId, self: reader.email, names });
      else await record({ to: reader.channel, self: undefined, names });
      return undefined;
    },
    withStopButton,
  };
}

async function resolveReader(
  { people, config }: DoorDeps,
  address: string,
  isRoleFresh: boolean,
): ReturnType<Door['resolveReader']> {
  if (!isPersonAddress(address))
    return { kind: 'channel', channel: address, managersSeePeople: config.peopleRole === 'manager' };
  const identification = await (isRoleFresh ? people.identifyAfresh(address) : people.identify(address));
  if (identification.kind !== 'known') return identification;
  const isRoleUnsure = people.groupEvidence().refusedSince !== undefined;
  return { kind: 'person', ...identification.person, isRoleUnsure };
}

async function whyRefused(
  deps: DoorDeps,
  reader: Reader,
  { names, sums = [] }: DeclaredMessage,
): Promise<string | undefined> {
  if (reader.kind === 'person') {
    if (reader.seesPeople) return undefined;
    if (names !== 'nobody' && !isOwn(names, reader)) return NOT_NAMED;
  } else if (names !== 'nobody') {
    return (await mayChooseNames(deps, names)) ? undefined : NOT_CHOSEN;
  }
  if (sums.length === 0 || deps.config.minGroup <= 1) return undefined;
  return (await areSumsAdmitted(deps.db, sums)) ? undefined : NOT_ADMITTED;
}

/** Everyone may see their own figures. */
const isOwn = ({ of }: Exclude<Names, 'nobody'>, { email }: PersonReader): boolean =>
  of !== 'everybody' && of.every((one) => one === email);

/** Whether the person who chose that a channel reads names may see them now. The operator may always choose. */
async function mayChooseNames({ people }: DoorDeps, { chosenBy }: Exclude<Names, 'nobody'>): Promise<boolean> {
  if (chosenBy === undefined) return false;
  return (await findNamingPermission(people, chosenBy)) !== undefined;
}
