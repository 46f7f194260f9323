import { createRandom } from '../model/random.ts';

export const FAULT_KINDS = [
  /** Refused with `status` (default 500); nothing happens. */
  'status',
  /** 429 with Retry-After (default 1 second); nothing happens. */
  'rate_limit',
  /** Answered after `delayMs` (default 100) of real time, or once `until` settles. */
  'slow',
  /** The connection breaks within the answer. */
  'cut_body',
  /** An HTML page instead of the answer. */
  'html',
  /** A success without a body. */
  'empty',
  /** JSON of the wrong shape. */
  'wrong_shape',
  /** The connection breaks; nothing happens. */
  'drop_before',
  /** The request takes effect, then the connection breaks. */
  'drop_after',
  /** The items of a page are shuffled. */
  'shuffle_pages',
  /** A page promises more at its own cursor. */
  'repeat_cursor',
  /** The rows of days lack their parts by tool, client and model. */
  'no_breakdowns',
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

export interface Fault {
  /** The affected requests; missing: all. A path is a prefix or an expression. */
  match?: { method?: string | undefined; path?: string | RegExp | undefined } | undefined;
  kind: FaultKind;
  /** The number of affected requests; missing: no limit. */
  times?: number | undefined;
  /** The chance for each request; missing: 1. */
  probability?: number | undefined;
  /** For `status` and `html`. */
  status?: number | undefined;
  /** Retry-After header of `status` and `rate_limit`, exactly as given. */
  retryAfter?: string | number | undefined;
  delayMs?: number | undefined;
  /** For `slow`, in tests in the same process: decides the order of events without a guess about time. */
  until?: Promise<void> | undefined;
}

export interface Faults {
  /** Adds a fault. The first one that matches a request applies to it. Returns a function that removes the fault. */
  add: (fault: Fault) => () => void;
  /** Adds some of every fault, without an end. */
  addWorstMood: () => void;
  clear: () => void;
  list: () => Fault[];
  /** Returns the fault for this request, if any. The random sequence depends only on the seed. */
  take: (method: string, path: string) => Fault | undefined;
}

/** About four in ten requests fail. No fault here is silent: an unaffected answer is correct. */
const WORST_MOOD: readonly Fault[] = [
  { kind: 'rate_limit', probability: 0.08, retryAfter: 1 },
  { kind: 'status', status: 500, probability: 0.05 },
  { kind: 'status', status: 503, probability: 0.05, retryAfter: 2 },
  { kind: 'cut_body', probability: 0.05 },
  { kind: 'drop_before', probability: 0.04 },
  { kind: 'drop_after', probability: 0.03 },
  { kind: 'html', probability: 0.01 },
  { kind: 'empty', probability: 0.005 },
  { kind: 'wrong_shape', probability: 0.005 },
  { kind: 'repeat_cursor', probability: 0.01 },
  { kind: 'slow', probability: 0.05, delayMs: 20 },
  { kind: 'shuffle_pages', probability: 0.2 },
];

export function createFaults(seed: number): Faults {
  const random = createRandom(seed, 61);
  let active: { fault: Fault; remainingUses: number }[] = [];
  const add = (fault: Fault) => {
    const entry = { fault, remainingUses: fault.times ?? Infinity };
    active.push(entry);
    return () => {
      active = active.filter((each) => each !== entry);
    };
  };
  return {
    add,
    addWorstMood: () => {
      for (const fault of WORST_MOOD) add(fault);
    },
    clear: () => {
      active = [];
    },
    list: () => active.map(({ fault }) => fault),
    take: (method, path) => {
      const hit = active.find(({ fault }) => fits(fault, method, path) && random() < (fault.probability ?? 1));
      if (!hit) return undefined;
      hit.remainingUses -= 1;
      active = active.filter(({ remainingUses }) => remainingUses > 0);
      return hit.fault;
    },
  };
}

function fits({ match }: Fault, method: string, path: string): boolean {
  if (match?.method !== undefined && match.method.toUpperCase() !== method) return false;
  if (match?.path === undefined) return true;
  // `search` ignores the position that a global expression remembers; `test` does not.
  return typeof match.path === 'string' ? path.startsWith(match.path) : path.search(match.path) !== -1;
}
