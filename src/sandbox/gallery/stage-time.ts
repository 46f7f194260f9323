import { setTimeout as delay } from 'node:timers/promises';
import type { Demo } from '../demo/demo.ts';

/** Slack takes one post a second, and refused calls are retried soon. The gallery skips such waits. */
const LONGEST_SKIP_MS = 1_000;

/** Advances time in steps during a wait, but not while the bot works: on a slow machine, its days would be over too soon. */
export async function whileTimePasses<Result>(
  demo: Demo,
  wait: Promise<Result>,
  { everyMs, stepMs, isStill = () => true }: { everyMs: number; stepMs: number; isStill?: () => boolean },
): Promise<Result> {
  const over = new AbortController();
  const stepping = async () => {
    while (!over.signal.aborted) {
      await delay(everyMs);
      if (!(await demo.isIdle()) || over.signal.aborted || !isStill()) continue;
      demo.clock.moveTo(new Date(demo.clock.now().getTime() + stepMs));
    }
  };
  const stepped = stepping();
  try {
    return await wait;
  } finally {
    over.abort();
    await stepped;
  }
}

/** Moves the clock to the next timer, if that is due soon. */
export function skipWait({ clock }: Demo, longestMs = LONGEST_SKIP_MS): void {
  const untilNextMs = clock.untilNextMs();
  if (untilNextMs <= longestMs) clock.moveTo(new Date(clock.now().getTime() + Math.max(1, Math.ceil(untilNextMs))));
}
