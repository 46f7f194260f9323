import { z } from 'zod';

/** So many changes by one person within ten minutes are one message. */
const BURST_SIZE = 5;
const BURST_MS = 10 * 60_000;

/** A revision that a watch gets. */
export interface Heard {
  revision: number;
  /** Milliseconds. */
  atMs: number;
  /** Who made it; their revisions make a burst. */
  by: string;
}

const burstSchema = z.object({ key: z.string(), revisions: z.array(z.number()) });
const announcedSchema = z.object({
  revision: z.number(),
  atMs: z.number(),
  by: z.string(),
  burst: z.string().optional(),
});
export const recentSchema = z.object({ announced: z.array(announcedSchema), bursts: z.array(burstSchema) });
/** What a watch got lately. */
export type Recent = z.infer<typeof recentSchema>;
type AnnouncedRevision = z.infer<typeof announcedSchema>;

export const NOTHING_RECENT: Recent = { announced: [], bursts: [] };

/** What is to be posted. */
export type Plan =
  | { kind: 'single'; revision: number }
  /** `earlier`: those of the burst that have messages of their own. */
  | { kind: 'burst'; first: number; revisions: number[]; earlier: number[] }
  /** More of a burst that has its message; `all` is what it is about now. */
  | { kind: 'more'; key: string; revisions: number[]; all: number[] };

/**
 * Decides what is posted of new revisions: each for itself, or as a burst where one person made five within ten minutes. Pure.
 *
 * @param heard in their order
 * @param keyOf the key of a burst by its first revision
 */
export function planNotices(
  recent: Recent,
  heard: readonly Heard[],
  keyOf: (first: number) => string,
): { plans: Plan[]; recent: Recent } {
  const people = Map.groupBy([...recent.announced, ...heard].toSorted(byTime), ({ by }) => by);
  const runs = [...people.values()].flatMap((revisions) => burstsIn(revisions));
  const runOf = new Map(runs.flatMap((run) => run.map((one): [number, AnnouncedRevision[]] => [one.revision, run])));
  const isNew = new Set(heard.map(({ revision }) => revision));
  const plans: Plan[] = [];
  const bursts = new Map(recent.bursts.map((burst) => [burst.key, burst.revisions]));
  const done = new Set<AnnouncedRevision[]>();
  for (const { revision } of heard) {
    const run = runOf.get(revision);
    if (!run) plans.push({ kind: 'single', revision });
    else if (!done.has(run)) {
      done.add(run);
      plans.push(planBurst(run, isNew, bursts));
    }
  }
  return { plans, recent: remember(recent, heard, plans, bursts, keyOf) };
}

const byTime = (one: AnnouncedRevision, other: AnnouncedRevision) =>
  one.atMs - other.atMs || one.revision - other.revision;

/** Rows of revisions of one person, each of which is one of five within ten minutes. */
function burstsIn(revisions: readonly AnnouncedRevision[]): AnnouncedRevision[][] {
  const isIn = revisions.map((_, index) =>
    Array.from({ length: BURST_SIZE }, (__, back) => index - back).some((start) => {
      const [first, last] = [revisions[start], revisions[start + BURST_SIZE - 1]];
      return first !== undefined && last !== undefined && last.atMs - first.atMs <= BURST_MS;
    }),
  );
  const runs: AnnouncedRevision[][] = [];
  revisions.forEach((one, index) => {
    const before = revisions[index - 1];
    const goesOn = isIn[index - 1] && before !== undefined && one.atMs - before.atMs <= BURST_MS;
    // A burst that has its message goes on while its person does.
    const joins = before?.burst !== undefined && one.atMs - before.atMs <= BURST_MS;
    const run = runs.at(-1);
    if ((isIn[index] && goesOn) || (joins && run?.at(-1) === before)) run?.push(one);
    else if (isIn[index] || one.burst !== undefined) runs.push([one]);
  });
  return runs;
}

function planBurst(
  run: readonly AnnouncedRevision[],
  isNew: ReadonlySet<number>,
  bursts: ReadonlyMap<string, readonly number[]>,
): Plan {
  const revisions = run
    .map(({ revision }) => revision)
    .filter((revision) => isNew.has(revision))
    .toSorted((a, b) => a - b);
  const key = run.find(({ burst }) => burst !== undefined)?.burst;
  if (key !== undefined) return { kind: 'more', key, revisions, all: [...(bursts.get(key) ?? []), ...revisions] };
  const first = revisions[0] ?? 0;
  const earlier = run.map(({ revision }) => revision).filter((revision) => !isNew.has(revision));
  return { kind: 'burst', first, revisions, earlier };
}

/** What the next revisions may belong to: nothing older than ten minutes before the newest of each person. */
function remember(
  recent: Recent,
  heard: readonly Heard[],
  plans: readonly Plan[],
  bursts: ReadonlyMap<string, readonly number[]>,
  keyOf: (first: number) => string,
): Recent {
  const burstOf = new Map<number, string>();
  const revisionsOf = new Map(bursts);
  for (const plan of plans) {
    if (plan.kind === 'single') continue;
    const key = plan.kind === 'more' ? plan.key : keyOf(plan.first);
    for (const revision of plan.revisions) burstOf.set(revision, key);
    revisionsOf.set(key, plan.kind === 'more' ? plan.all : plan.revisions);
  }
  const all: AnnouncedRevision[] = [
    ...recent.announced,
    ...heard.map((one) => {
      const burst = burstOf.get(one.revision);
      return { revision: one.revision, atMs: one.atMs, by: one.by, ...(burst === undefined ? {} : { burst }) };
    }),
  ];
  const newestMs = Math.max(0, ...all.map(({ atMs }) => atMs));
  const announced = all.filter(({ atMs }) => newestMs - atMs <= BURST_MS);
  const open = new Set(announced.map(({ burst }) => burst));
  return {
    announced,
    bursts: [...revisionsOf]
      .filter(([key]) => open.has(key))
      .map(([key, revisions]) => ({ key, revisions: [...revisions] })),
  };
}
