import type { Computer } from '../../../core/platform/endpoints/computers.ts';
import { didYouMean } from '../../../core/slack/commands/command-text.ts';
import { statusWords } from './text.ts';
import { instantOf, phaseOf, progressOf, type Phase } from './states.ts';

export type Match =
  | { kind: 'one'; computer: Computer }
  | { kind: 'several'; computers: Computer[] }
  | { kind: 'none'; meant: string | undefined };

/** Matches by id, then by name, then by part of the name. Pure. */
export function matchComputer(all: readonly Computer[], word: string): Match {
  const lower = word.trim().toLowerCase();
  const tries: ((one: Computer) => boolean)[] = [
    ({ id }) => id === word.trim(),
    ({ name }) => name.toLowerCase() === lower,
    ({ name }) => name.toLowerCase().includes(lower),
  ];
  const computers = tries.map((isMeant) => all.filter(isMeant)).find(({ length }) => length > 0) ?? [];
  const [computer] = computers;
  if (computer && computers.length === 1) return { kind: 'one', computer };
  if (computer) return { kind: 'several', computers: computers.toSorted(newestFirst) };
  const names = all.map(({ name }) => name.toLowerCase());
  return { kind: 'none', meant: didYouMean(word, names) };
}

const createdMs = ({ createdAt }: Computer) => instantOf(createdAt)?.getTime() ?? 0;
const newestFirst = (a: Computer, b: Computer) => createdMs(b) - createdMs(a) || (a.id < b.id ? -1 : 1);

const RANK: Record<Phase, number> = { problem: 0, under_way: 1, ready: 2 };

/** A failed step is a problem, regardless of the status. */
const rankOf = (computer: Computer) =>
  progressOf(computer.provisioningSteps).failed ? RANK.problem : RANK[phaseOf(computer)];

/** Returns computers that contain a word: problems first, then those under way, newest first within each. Pure. */
export function findComputers(all: readonly Computer[], filter: string): Computer[] {
  const lowerFilter = filter.trim().toLowerCase();
  return all
    .filter(({ id, name, hostname, remoteUser, providerType, status }) =>
      [id, name, hostname, remoteUser, providerType, status, statusWords({ status })].some((text) =>
        text?.toLowerCase().includes(lowerFilter),
      ),
    )
    .toSorted((a, b) => rankOf(a) - rankOf(b) || newestFirst(a, b));
}

export const countProblems = (all: readonly Computer[]) => all.filter((one) => rankOf(one) === RANK.problem).length;
export const countUnderWay = (all: readonly Computer[]) => all.filter((one) => rankOf(one) === RANK.under_way).length;
