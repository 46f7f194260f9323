import { type People, type Person } from './people.ts';

/** Nobody else can make one: its type has a member that no other type has. */
class NamingRight {
  protected readonly isGiven = true;
}

/**
 * The right to say who somebody is. Whatever puts a name, an e-mail or the limit of one person into words asks for it, so
 * what is built without it cannot hold any.
 */
export type Naming = NamingRight;

/** The person who asked, alone: told their own part, and nobody else's. */
export interface ForPerson {
  kind: 'person';
  /** In lower case. */
  email: string | undefined;
  naming?: undefined;
}

/** A manager, alone, who may see figures of single people by name. */
export interface ForManagers {
  kind: 'managers';
  naming: Naming;
}

/** Everybody in a channel: nobody is named, and nobody's own part is told. */
export interface ForChannel {
  kind: 'channel';
  naming?: undefined;
}

/** Everybody in a channel, where somebody chose that people are named. */
export interface ForNamedChannel {
  kind: 'channel';
  naming: Naming;
}

/** Who will read what is built. */
export type Audience = ForPerson | ForManagers | ForChannel | ForNamedChannel;

export const CHANNEL: ForChannel = { kind: 'channel' };

/** Only for a share that a person confirmed with names. */
export const NAMED_CHANNEL: ForNamedChannel = { kind: 'channel', naming: new NamingRight() };

/** Everybody in a channel for which a person with the right to name people chose names. */
export const channelWithNames = (naming: Naming): ForNamedChannel => ({ kind: 'channel', naming });

/** Somebody who is answered alone. A manager who may not see single people reads like everybody else. */
export function audienceOf({ seesPeople, email }: Pick<Person, 'seesPeople' | 'email'>): ForPerson | ForManagers {
  return seesPeople ? { kind: 'managers', naming: new NamingRight() } : { kind: 'person', email };
}

/**
 * The right to name people of a person who chose that others read names, or who reads them alone, as it is now.
 *
 * @param chooser a Slack id; null: the operator, who may always choose
 * @example const naming = await findChooser(people, subscription.owner)
 */
export async function findChooser(
  people: Pick<People, 'identify'>,
  chooser: string | null,
): Promise<Naming | undefined> {
  if (chooser === null) return new NamingRight();
  const found = await people.identify(chooser);
  return found.kind === 'known' && found.person.seesPeople ? new NamingRight() : undefined;
}

/** Something said in two ways: with names it can only be had by somebody who may name people. */
export interface Sentence {
  /** Names nobody. */
  sentence: string;
  named?: (naming: Naming) => string;
}

/** @example sentenceFor(timelineEvent, CHANNEL) // 'one credit limit was set' */
export function sentenceFor({ sentence, named }: Sentence, { naming }: Pick<Audience, 'naming'>): string {
  return naming && named ? named(naming) : sentence;
}
