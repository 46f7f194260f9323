import { FIRST_DAY, kindOf } from './calendar.ts';
import {
  ARTIFACTS,
  ARTIFACT_SHARE,
  CLIENTS,
  DELEGATION_LEVELS,
  HOOKS,
  MODELS,
  SKILLS,
  SLASH_COMMANDS,
  TOOLS,
} from './catalogue.ts';
import type { Organization, Person } from './organization.ts';
import { createRandom, hash, pick } from './random.ts';

interface ModelUse {
  model: number;
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  billable: number;
}

/** One person's activity on one day: only leaves, since every total is a sum of these. Numbers index the catalogue. */
export interface PersonDay {
  person: Person;
  clients: readonly number[];
  sessions: number;
  userMessages: number;
  assistantMessages: number;
  delegation: number;
  models: readonly ModelUse[];
  /** Calls by tool. */
  tools: readonly number[];
  /** A name that replaces the tool name of one call. */
  artifact: string | undefined;
  servers: readonly (readonly [number, number])[];
  skills: readonly number[];
  commands: readonly number[];
  hooks: readonly number[];
  /** File operations by extension. */
  extensions: readonly (readonly [number, number])[];
  filesCreated: number;
  commits: number;
  pullRequests: number;
}

/** Whether a person was active on a day: independent of all else, and cheap enough for 30 days. */
export function wasActive({ seed }: Organization, { index, habits }: Person, day: number): boolean {
  if (day < habits.firstDay || habits.engagement === 0) return false;
  const chance = { working: habits.engagement, weekend: habits.engagement * 0.1, holiday: habits.engagement * 0.05 }[
    kindOf(day)
  ];
  return hash(seed + 3, index, day) / 4_294_967_296 < chance;
}

/**
 * Returns the figures of an active person's day: a function of (seed, person, day) and the factor of the day's revision.
 */
export function personDay(organization: Organization, person: Person, day: number, factor: number): PersonDay {
  const { seed } = organization;
  const { habits } = person;
  const random = createRandom(seed, person.index, day);
  const scale = (amount: number) => Math.round(amount * factor);
  const growth = 1 + (day - FIRST_DAY) / 400;
  const volume = habits.weight * growth * (0.5 + random()) * spike(seed, day, random);
  const delegation = random() < 0.8 ? habits.delegation : Math.floor(random() * DELEGATION_LEVELS.length);
  const level = DELEGATION_LEVELS[delegation] ?? DELEGATION_LEVELS[0];

  const plannedSessions = 1 + 2 * volume * random();
  const sessions = Math.max(1, scale(plannedSessions));
  const userMessages = sessions + scale(plannedSessions * 5 * random());
  const calls = userMessages * level.callsPerTurn * (0.7 + 0.6 * random());
  const tools = TOOLS.map(([, share]) => Math.round(calls * share * (0.6 + 0.8 * random())));
  const total = tools.reduce((sum, count) => sum + count, 0);
  const operations = habits.extensions.map((each) => [each, Math.round(total * 0.08 * random())] as const);
  const files = operations.reduce((sum, [, count]) => sum + count, 0);
  const commits = Math.round(files * 0.15 * random());
  return {
    person,
    clients: clientsOf(random),
    sessions,
    userMessages,
    assistantMessages: userMessages + Math.round(total * 0.4),
    delegation,
    models: modelUse(organization, habits.models, total + userMessages, random),
    tools,
    artifact: (tools[0] ?? 0) > 0 && random() < ARTIFACT_SHARE * TOOLS.length ? pick(ARTIFACTS, random) : undefined,
    servers: random() < 0.5 ? habits.servers.map((each) => [each, Math.round(total * 0.06 * random())] as const) : [],
    skills: rare(SKILLS.length, 0.12, 3, random, scale),
    commands: rare(SLASH_COMMANDS.length, 0.2, 6, random, scale),
    hooks: rare(HOOKS.length, 0.3, 12, random, scale),
    extensions: operations,
    filesCreated: Math.round(files * 0.25 * random()),
    commits,
    pullRequests: Math.round(commits * 0.4 * random()),
  };
}

/** About one day in forty is busy for everyone, and one person-day in fifty for one person. */
function spike(seed: number, day: number, random: () => number): number {
  return (hash(seed + 4, day) % 40 === 0 ? 1.8 : 1) * (random() < 0.02 ? 4 : 1);
}

function clientsOf(random: () => number): number[] {
  const chances = [0.75, 0.3, 0.12];
  const used = chances.flatMap((chance, index) => (random() < chance ? [index] : []));
  return used.length > 0 ? used : [Math.floor(random() * CLIENTS.length)];
}

function modelUse(
  { creditDecimals, creditFactor }: Organization,
  [first, second]: readonly [number, number],
  amount: number,
  random: () => number,
): ModelUse[] {
  const unit = 10 ** creditDecimals;
  const share = random() < 0.6 ? 1 : 0.55 + 0.4 * random();
  const parts = share === 1 ? [[first, 1] as const] : [[first, share] as const, [second, 1 - share] as const];
  return parts.map(([model, part]) => {
    const input = Math.round(amount * part * (1_500 + 2_000 * random())) + 1;
    const output = Math.round(input * (0.08 + 0.1 * random()));
    const cacheRead = Math.round(input * (0.4 + 0.4 * random()));
    const cacheWrite = Math.round(input * 0.1 * random());
    const factor = (MODELS[model]?.creditsFactor ?? 1) * creditFactor;
    // API document: "computed from raw input and output tokens with cache discounts". The weights are the simulator's own choice.
    const billable = Math.max(1, Math.round((input - 0.9 * cacheRead + 4 * output) * factor * unit) / unit);
    return { model, input, output, cacheRead, cacheWrite, billable };
  });
}

function rare(
  length: number,
  chance: number,
  most: number,
  random: () => number,
  scale: (amount: number) => number,
): number[] {
  return Array.from({ length }, () => (random() < chance ? scale(1 + Math.floor(random() * most)) : 0));
}
