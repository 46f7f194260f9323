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

/** Only for what somebody chose with names: a confirmed share, a section of a digest that says that it names people. */
export const NAMED_CHANNEL: ForNamedChannel = { kind: 'channel', naming: new NamingRight() };

/** Somebody who is answered alone. A manager who may not see single people reads like everybody else. */
export function audienceOf({ seesPeople, email }: Pick<Person, 'seesPeople' | 'email'>): ForPerson | ForManagers {
  return seesPeople ? { kind: 'managers', naming: new NamingRight() } : { kind: 'person', email };
}

/**
 * The person whose direct messages an id stands for, if they may see figures of single people: a role may be lost after something
 * was set up.
 */
export async function findReaderOfPeople(people: Pick<People, 'identify'>, id: string): Promise<Person | undefined> {
  if (!/^[UW]/.test(id)) return undefined;
  const found = await people.identify(id);
  return found.kind === 'known' && found.person.seesPeople ? found.person : undefined;
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
