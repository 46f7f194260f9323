import type { People, Person } from './people.ts';

/** Only this file can create one: its type has a member that no other type has. */
class Permission {
  protected readonly isGiven = true;
}

/** Code that puts a name, e-mail or one person's limit into words requires it, so text without it contains none. */
export type NamingPermission = Permission;

/** Only the person who asked: they see their own figures and no other person's. */
export interface ForPerson {
  kind: 'person';
  /** In lower case. */
  email: string | undefined;
  naming?: undefined;
}

/** Only one manager, who may see figures of individual people by name. */
export interface ForManagers {
  kind: 'managers';
  naming: NamingPermission;
}

/** The readers of a channel: no person is named, and no person's own figures appear. */
export interface ForChannel {
  kind: 'channel';
  naming?: undefined;
}

/** The readers of a channel for which a person chose names. */
export interface ForNamedChannel {
  kind: 'channel';
  naming: NamingPermission;
}

export type Audience = ForPerson | ForManagers | ForChannel | ForNamedChannel;

export const CHANNEL: ForChannel = { kind: 'channel' };

/** Only for a share that a person confirmed with names. */
export const NAMED_CHANNEL: ForNamedChannel = { kind: 'channel', naming: new Permission() };

export const channelWithNames = (naming: NamingPermission): ForNamedChannel => ({ kind: 'channel', naming });

/** A manager without the right to see individual people counts as a member. */
export function audienceOf({ seesPeople, email }: Pick<Person, 'seesPeople' | 'email'>): ForPerson | ForManagers {
  return seesPeople ? { kind: 'managers', naming: new Permission() } : { kind: 'person', email };
}

/**
 * @param chooser a Slack id; null: the operator, who may always choose
 * @example const naming = await findNamingPermission(people, subscription.owner)
 */
export async function findNamingPermission(
  people: Pick<People, 'identify'>,
  chooser: string | null,
): Promise<NamingPermission | undefined> {
  if (chooser === null) return new Permission();
  const identification = await people.identify(chooser);
  return identification.kind === 'known' && identification.person.seesPeople ? new Permission() : undefined;
}

export interface Sentence {
  sentence: string;
  named?: (naming: NamingPermission) => string;
}

/** @example sentenceFor(timelineEvent, CHANNEL) // 'one credit limit was set' */
export function sentenceFor({ sentence, named }: Sentence, { naming }: Pick<Audience, 'naming'>): string {
  return naming && named ? named(naming) : sentence;
}
