import { FIRST_DAY } from './calendar.ts';
import { DELEGATION_LEVELS, EXTENSIONS, FIRST_NAMES, LAST_NAMES, MODELS, SERVERS, TEAMS } from './catalogue.ts';
import { createRandom, hash, pick } from './random.ts';

export interface Person {
  readonly index: number;
  /** The platform's id. */
  readonly id: string;
  readonly name: string;
  /** `null`: unknown to the platform. */
  readonly email: string | null;
  /** The same e-mail in analytics: for some people in different letter case. */
  readonly reportedEmail: string | null;
  readonly team: string;
  readonly habits: Habits;
}

interface Habits {
  /** Chance to be active on a working day; 0: never. */
  engagement: number;
  /** Amount of work; 1 is usual. */
  weight: number;
  firstDay: number;
  /** Indexes of the primary model and of another one. */
  models: readonly [number, number];
  delegation: number;
  servers: readonly number[];
  extensions: readonly number[];
}

export interface Organization {
  readonly id: string;
  readonly seed: number;
  readonly people: readonly Person[];
  readonly creditDecimals: number;
  /** What each amount of credits is multiplied by. */
  readonly creditFactor: number;
  /** By e-mail in lower case. */
  readonly byEmail: ReadonlyMap<string, Person>;
}

/** The people of the sandbox Slack, always first and always active. */
const DEMO_PEOPLE = [
  { name: 'Morgan Reyes', email: 'morgan.manager@acme.example', team: 'Platform' },
  { name: 'Mia Chen', email: 'mia.member@acme.example', team: 'Payments' },
  { name: 'Ada Okafor', email: 'ada.admin@acme.example', team: 'Infrastructure' },
  { name: 'Max Weber', email: 'max.member@acme.example', team: 'Payments' },
  { name: 'Nora Lindqvist', email: 'nora.member@acme.example', team: 'Mobile' },
] as const;

/**
 * Creates an organization. The same seed and size give the same one, and person 7 is the same in every size.
 *
 * @example
 * createOrganization({ seed: 1, people: 2_000 }).people.length; // 2000
 */
export function createOrganization({
  seed,
  people,
  creditDecimals = 0,
  creditFactor = 1,
}: OrganizationSettings): Organization {
  const key = [seed, people, creditDecimals, creditFactor].join(' ');
  const organization =
    organizationCache.get(key)?.deref() ?? makeOrganization({ seed, people, creditDecimals, creditFactor });
  organizationCache.set(key, new WeakRef(organization));
  return organization;
}

interface OrganizationSettings {
  seed: number;
  people: number;
  creditDecimals?: number | undefined;
  creditFactor?: number | undefined;
}

/** An organization never changes, so all sandboxes of a process share it. */
const organizationCache = new Map<string, WeakRef<Organization>>();

function makeOrganization({
  seed,
  people: size,
  creditDecimals,
  creditFactor,
}: OrganizationSettings & Pick<Organization, 'creditDecimals' | 'creditFactor'>): Organization {
  const addressCounts = new Map<string, number>();
  const people = Array.from({ length: size }, (_, index) => createPerson(seed, index, addressCounts));
  const peopleWithEmail = people.filter((person) => person.email !== null);
  const byEmail = new Map(peopleWithEmail.map((person) => [(person.email ?? '').toLowerCase(), person]));
  return { id: `org_${hash(seed, 77).toString(36)}`, seed, people, creditDecimals, creditFactor, byEmail };
}

function createPerson(seed: number, index: number, addressCounts: Map<string, number>): Person {
  const random = createRandom(seed, index, 1);
  const demo = DEMO_PEOPLE[index];
  // The hash spreads ids, so that their order means nothing; the index makes them unique.
  const id = `user_${hash(seed, index, 2).toString(36).padStart(7, '0')}${index.toString(36)}`;
  const habits = createHabits(random, demo !== undefined);
  if (demo) return { ...demo, index, id, reportedEmail: demo.email, habits };

  const name = `${pick(FIRST_NAMES, random)} ${pick(LAST_NAMES, random)}`;
  const address = uniqueAddress(name, addressCounts);
  const team = pick(TEAMS, random);
  const oddity = random();
  if (oddity < 0.02) return { index, id, name, email: null, reportedEmail: null, team, habits };
  const reportedEmail = oddity < 0.06 ? shout(address) : address;
  return { index, id, name, email: address, reportedEmail, team, habits };
}

function uniqueAddress(name: string, addressCounts: Map<string, number>): string {
  const plain = name.replaceAll('Ł', 'L').replaceAll('ø', 'o').normalize('NFD');
  const local = plain
    .replaceAll(/[^A-Za-z ]/g, '')
    .toLowerCase()
    .replaceAll(' ', '.');
  const count = (addressCounts.get(local) ?? 0) + 1;
  addressCounts.set(local, count);
  return `${local}${count > 1 ? count : ''}@acme.example`;
}

function shout(address: string): string {
  return address.replaceAll(/(^|\.)[a-z]/g, (letters) => letters.toUpperCase()).replace('@acme.E', '@Acme.e');
}

function createHabits(random: () => number, isDemo: boolean): Habits {
  const idle = random() < 0.05;
  const joinsLater = random() < 0.3;
  const first = Math.floor(random() * MODELS.length);
  const habits = {
    engagement: idle ? 0 : 0.55 + random() * 0.42,
    weight: Math.exp((random() + random() + random() - 1.5) * 1.4),
    firstDay: joinsLater ? FIRST_DAY + Math.floor(random() * 280) : FIRST_DAY,
    models: [first, (first + 1 + Math.floor(random() * (MODELS.length - 1))) % MODELS.length],
    delegation: Math.floor(random() * DELEGATION_LEVELS.length),
    servers: some(SERVERS.length, 0.25, random),
    extensions: some(EXTENSIONS.length, 0.28, random),
  } as const;
  return isDemo ? { ...habits, engagement: 1, firstDay: FIRST_DAY } : habits;
}

/** Returns some of the first `length` numbers, at least one. */
function some(length: number, chance: number, random: () => number): number[] {
  const last = Math.floor(random() * length);
  return Array.from({ length }, (_, index) => index).filter((index) => index === last || random() < chance);
}
