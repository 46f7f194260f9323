import { notBeforeFirstDay } from '../../../core/analytics/period.ts';
import { dayOf, daysOf, plusDays, type Period } from '../../../core/base/time/calendar.ts';
import { withinTime } from '../../../core/base/time/turns.ts';
import { joinMarkup, markup, withRest, type Markup } from '../../../core/base/text/markup.ts';
import { countOf, formatCompact, formatShare } from '../../../core/base/text/numbers.ts';
import { sumOf } from '../../../core/base/statistics.ts';
import { amountsByName, modelCredits, serverCalls } from '../../../core/figures/measures/breakdown.ts';
import { isSameModel, readMainModels, type PersonModels } from '../../../core/figures/measures/main-models.ts';
import type { ControlsDeps } from '../core/controls-deps.ts';
import { textsIn } from '../core/named-in-change.ts';
import type { RevisionOutline } from '../core/revisions.ts';
import type { RevisionChanges } from './revision-changes.ts';

export type UseDeps = Pick<ControlsDeps, 'days' | 'clock' | 'log' | 'config'>;

const DAYS_BEFORE = 28;
const MAX_NAMED = 5;
/** A notice without this line is better than a late one, and an answer sooner. */
const MAX_WAIT_MS = { channel: 20_000, answer: 3_000 };

const STORED = { maxAgeMs: Number.POSITIVE_INFINITY } as const;

export interface NamedModel {
  name: string;
  /** Of the organization’s credits. */
  share: string;
  /** The people whose main model it was; undefined if the store does not hold all of these days. */
  users: readonly PersonModels[] | undefined;
}

/** The 28 days before a revision, which no longer change much: so the line stays the same in later edits. */
export function daysBefore({ changedAt }: Pick<RevisionOutline, 'changedAt'>): Period {
  const day = dayOf(new Date(changedAt));
  return { first: notBeforeFirstDay(plusDays(day, -DAYS_BEFORE)), last: plusDays(day, -1) };
}

/** The models of the figures that a change names. */
export async function readNamedModels(
  deps: UseDeps,
  texts: ReadonlySet<string>,
  period: Period,
): Promise<NamedModel[]> {
  const part = await deps.days.credits(period, STORED);
  if (part.kind === 'unreadable') return [];
  const amounts = amountsByName(part.rows, modelCredits);
  const total = sumOf([...amounts.values()], (amount) => amount);
  const named = [...amounts].filter(([name, amount]) => texts.has(name.toLowerCase()) && amount > 0);
  if (named.length === 0) return [];
  const people = await readStoredModels(deps, period);
  return named
    .toSorted(([, one], [, other]) => other - one)
    .map(([name, amount]) => ({
      name,
      share: formatShare(amount, total),
      users: people?.filter(({ main }) => isSameModel(main, name)),
    }));
}

/** The main models of people, if the store holds them for every published day: reading them takes thousands of pages. */
export async function readStoredModels(
  { days }: Pick<UseDeps, 'days'>,
  period: Period,
): Promise<readonly PersonModels[] | undefined> {
  const { first } = days.beginningOfPeople();
  if (first > period.first) return undefined;
  const [people, totals] = await Promise.all([days.stored('users', period), days.stored('tokens', period)]);
  const isHeld = daysOf(period).every((day) => !totals.has(day) || people.has(day));
  if (!isHeld || people.size === 0) return undefined;
  const reading = await readMainModels(days, period, STORED);
  return reading.kind === 'read' ? reading.people : undefined;
}

async function readNamedServers({ days }: UseDeps, texts: ReadonlySet<string>, period: Period) {
  const part = await days.tools(period, STORED);
  if (part.kind === 'unreadable') return [];
  return [...amountsByName(part.rows, serverCalls(part.rows))]
    .filter(([name, calls]) => texts.has(name.toLowerCase()) && calls > 0)
    .toSorted(([, one], [, other]) => other - one);
}

/** What a change of the controls names, and how much it was used. It says “named”: what a rule does is not known. */
async function namedUseLine(
  deps: UseDeps,
  { row, changes }: RevisionChanges,
  where: keyof typeof MAX_WAIT_MS,
): Promise<Markup | undefined> {
  const texts = textsIn(changes.map(({ change }) => change));
  if (texts.size === 0) return undefined;
  const reading = readUse(deps, texts, daysBefore(row)).catch((error: unknown) => {
    deps.log.warn({ err: error }, 'Reading the use of what a change of the controls names failed');
    return [];
  });
  const parts = await withinTime(deps.clock, MAX_WAIT_MS[where], reading, []);
  if (parts.length === 0) return undefined;
  const listed = withRest(parts, MAX_NAMED, (remaining) => markup`${countOf(remaining, 'more name')}`);
  return markup`📊 Named in this change: ${joinMarkup(listed, '; ')} (${DAYS_BEFORE} days before).`;
}

/** The changes of one revision with the line about what they name. */
export async function withNamedUse(
  deps: UseDeps,
  revisionChanges: RevisionChanges,
  where: keyof typeof MAX_WAIT_MS,
): Promise<RevisionChanges> {
  return { ...revisionChanges, namedUse: await namedUseLine(deps, revisionChanges, where) };
}

/** Whether a revision names a model of the figures. Without these, it counts as naming none. */
export async function namesModels(deps: UseDeps, { row, changes }: RevisionChanges): Promise<boolean> {
  const texts = textsIn(changes.map(({ change }) => change));
  const none: NamedModel[] = [];
  const reading = readNamedModels(deps, texts, daysBefore(row)).catch(() => none);
  return (await withinTime(deps.clock, MAX_WAIT_MS.channel, reading, none)).length > 0;
}

async function readUse(deps: UseDeps, texts: ReadonlySet<string>, period: Period): Promise<Markup[]> {
  const [models, servers] = await Promise.all([
    readNamedModels(deps, texts, period),
    readNamedServers(deps, texts, period),
  ]);
  return [
    ...models.map(({ name, share, users }) => {
      const people = users && mainModelWords(users.length, deps.config.minGroup);
      return markup`model \`${name}\`, ${share} of credits${people === undefined ? '' : ` and ${people}`}`;
    }),
    ...servers.map(
      ([name, calls]) => markup`server \`${name}\`, ${formatCompact(calls)} ${calls === 1 ? 'call' : 'calls'}`,
    ),
  ];
}

/** The number of a small group would tell of single people. */
const mainModelWords = (count: number, minGroup: number): string =>
  count < minGroup
    ? `main model of fewer than ${minGroup} people`
    : `main model of ${countOf(count, 'person', 'people')}`;
