import pLimit from 'p-limit';
import type { Logger } from '../../base/log.ts';
import type { PostToResponseUrl } from '../outbound/response-url.ts';
import { createWorkQueue } from '../../base/work-queue.ts';

export type InteractionKind = 'command' | 'question' | 'click' | 'form' | 'home' | 'shortcut' | 'event';

export const BUSY = 'Quartermaster is busy. Try again in a minute.';

/** Most of the time of an answer is spent waiting for the platform and for Slack. */
const LIMITS = { maxRunning: 100, maxRunningEach: 25, maxWaiting: 500, maxWaitingEach: 100 };
const MAX_REFUSALS_AT_ONCE = 8;
/** With more, the refusals themselves would keep the bot busy. */
const MAX_REFUSALS_WAITING = 500;

/** Runs acknowledged work in the queue. */
export function createBackground(deps: {
  log: Logger;
  postToResponseUrl: PostToResponseUrl;
  observe?: (event: { kind: InteractionKind; name: string; outcome: string; durationMs: number }) => void;
}) {
  const underWay = new Set<Promise<void>>();
  const queue = createWorkQueue(LIMITS);
  const refusals = pLimit(MAX_REFUSALS_AT_ONCE);
  const track = (promise: Promise<void>) => {
    const tracked = promise.finally(() => underWay.delete(tracked));
    underWay.add(tracked);
  };
  const perform = async (
    kind: InteractionKind,
    name: string,
    person: string,
    start: () => () => Promise<string>,
  ): Promise<string> => {
    const startedMs = performance.now();
    const outcome = await queue.run(person, start).catch((error: unknown) => {
      deps.log.error({ err: error, kind, name }, 'Answering an interaction failed');
      return 'unanswered';
    });
    deps.observe?.({ kind, name, outcome, durationMs: performance.now() - startedMs });
    return outcome;
  };
  return {
    hasRoom: (person: string) => queue.hasRoom(person),
    /** @param start runs the urgent steps, and returns the rest */
    run: (kind: InteractionKind, name: string, person: string, start: () => () => Promise<string>) => {
      track(perform(kind, name, person, start).then(() => undefined));
    },
    perform: async (kind: InteractionKind, name: string, person: string, start: () => () => Promise<string>) => {
      const outcome = perform(kind, name, person, start);
      track(outcome.then(() => undefined));
      return outcome;
    },
    /** Uses the response address: an acknowledgement carries no text. @returns `false` if the click has no address */
    refuse: (address: string | undefined, text: string): boolean => {
      if (address === undefined) return false;
      if (refusals.pendingCount > MAX_REFUSALS_WAITING) {
        deps.log.warn('Dropped a click: too many are waiting');
        return true;
      }
      const answer = { response_type: 'ephemeral', replace_original: false, text };
      track(
        refusals(() => deps.postToResponseUrl(address, answer)).catch((error: unknown) =>
          deps.log.warn({ err: error }, 'Answering a click failed'),
        ),
      );
      return true;
    },
    drain: async () => {
      while (underWay.size > 0) await Promise.all(underWay);
    },
    counts: () => queue.counts(),
  };
}
