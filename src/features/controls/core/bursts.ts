import { z } from 'zod';

/** Changes of one person within a minute share one message: the second edits the message of the first. */
const TOGETHER_MS = 60_000;
/** A message of several grows while its author continues. The fifth within this time joins the fourth at any pace. */
const BURST_MS = 10 * 60_000;
const BURST_SIZE = 5;

export interface NewRevision {
  revision: number;
  atMs: number;
  /** The author, whose revisions may share a message. */
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
export type Recent = z.infer<typeof recentSchema>;
type AnnouncedRevision = z.infer<typeof announcedSchema>;

export const NOTHING_RECENT: Recent = { announced: [], bursts: [] };

export type Plan =
  | { kind: 'single'; revision: number }
  | { kind: 'burst'; first: number; revisions: number[] }
  /** More revisions for an existing message; `all` are the revisions that it is about now. */
  | { kind: 'more'; key: string; revisions: number[]; all: number[] };

/** `newRevisions` are in their order, and `keyOf` returns the key of a message by its first revision. */
export function planNotices(
  recent: Recent,
  newRevisions: readonly NewRevision[],
  keyOf: (first: number) => string,
): { plans: Plan[]; recent: Recent } {
  const announced = [...recent.announced];
  const messages = new Map(recent.bursts.map(({ key, revisions }) => [key, [...revisions]]));
  const added = new Map<string, number[]>();
  for (const { revision, atMs, by } of newRevisions) {
    const key = joinedMessage(announced, messages, { revision, atMs, by }) ?? keyOf(revision);
    announced.push({ revision, atMs, by, burst: key });
    messages.set(key, [...(messages.get(key) ?? []), revision]);
    added.set(key, [...(added.get(key) ?? []), revision]);
  }
  const before = new Set(recent.bursts.map(({ key }) => key));
  const plans = [...added].map(([key, revisions]): Plan => {
    const [first = 0] = revisions;
    if (before.has(key)) return { kind: 'more', key, revisions, all: messages.get(key) ?? revisions };
    return revisions.length === 1 ? { kind: 'single', revision: first } : { kind: 'burst', first, revisions };
  });
  return { plans, recent: keepRecent(announced, messages) };
}

/** Returns the message that a revision joins: that of the previous revision of the same person. */
function joinedMessage(
  announced: readonly AnnouncedRevision[],
  messages: ReadonlyMap<string, readonly number[]>,
  { atMs, by }: NewRevision,
): string | undefined {
  const lately = announced.filter((one) => one.by === by && Math.abs(atMs - one.atMs) <= BURST_MS);
  const previous = lately.at(-1);
  if (previous?.burst === undefined) return undefined;
  const isTogether = Math.abs(atMs - previous.atMs) <= TOGETHER_MS;
  const isSeveral = (messages.get(previous.burst)?.length ?? 0) > 1;
  return isTogether || isSeveral || lately.length >= BURST_SIZE - 1 ? previous.burst : undefined;
}

/** Keeps the revisions that the next ones may join: none older than ten minutes before the newest. */
function keepRecent(all: readonly AnnouncedRevision[], messages: ReadonlyMap<string, readonly number[]>): Recent {
  const newestMs = Math.max(0, ...all.map(({ atMs }) => atMs));
  const announced = all.filter(({ atMs }) => newestMs - atMs <= BURST_MS);
  const open = new Set(announced.map(({ burst }) => burst));
  return {
    announced,
    bursts: [...messages]
      .filter(([key]) => open.has(key))
      .map(([key, revisions]) => ({ key, revisions: [...revisions] })),
  };
}
