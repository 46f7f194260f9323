import { stuckSentence } from './endings.ts';

/** How often each essential loop turns when it is idle. */
const USUAL_PAUSE_MS = { ticker: 60_000, outbox: 5_000 } as const;
export type Loop = keyof typeof USUAL_PAUSE_MS;
const LOOPS = Object.keys(USUAL_PAUSE_MS).filter((name): name is Loop => name in USUAL_PAUSE_MS);

export type Turn = 'began' | 'ended';

const UNREADY_AFTER_MS = 60_000;
const GIVEN_UP_AFTER_MS = 5 * 60_000;
const CHECK_EVERY_MS = 5_000;
/** After a longer pause between checks the process was suspended or the machine slept, so no loop could turn. */
const SLEPT_AFTER_MS = 30_000;

export interface Watchdog {
  recordTurn(loop: Loop, turn: Turn): void;
  start(): void;
  stop(): void;
  /** Names a loop that has not turned for over a minute; undefined if all have. */
  fault(): string | undefined;
}

/**
 * Ends the process when one of its loops is stuck: a supervisor restarts it, and the store contains all state. Every
 * wait within the loops has its own bound; the watchdog covers unforeseen faults.
 *
 * @param nowMs a clock that only moves forward
 */
export function createWatchdog(deps: { nowMs: () => number; onFatal: (reason: string) => void }): Watchdog {
  const lastTurns = new Map<Loop, { atMs: number; isBusy: boolean }>();
  let checkedAtMs = deps.nowMs();
  let timer: NodeJS.Timeout | undefined;

  const silentMs = (loop: Loop): number => {
    const last = lastTurns.get(loop);
    if (!last) return 0;
    return deps.nowMs() - last.atMs - (last.isBusy ? 0 : USUAL_PAUSE_MS[loop]);
  };
  const stuckFor = (limitMs: number) => LOOPS.find((loop) => silentMs(loop) > limitMs);

  const check = () => {
    const nowMs = deps.nowMs();
    const hasSlept = nowMs - checkedAtMs > SLEPT_AFTER_MS;
    checkedAtMs = nowMs;
    if (hasSlept) for (const last of lastTurns.values()) last.atMs = nowMs;
    const stuck = stuckFor(GIVEN_UP_AFTER_MS);
    if (stuck) deps.onFatal(stuckSentence(stuck));
  };
  return {
    recordTurn: (loop, turn) => void lastTurns.set(loop, { atMs: deps.nowMs(), isBusy: turn === 'began' }),
    start: () => {
      checkedAtMs = deps.nowMs();
      timer = setInterval(check, CHECK_EVERY_MS);
      timer.unref();
    },
    stop: () => clearInterval(timer),
    fault: () => {
      const stuck = stuckFor(UNREADY_AFTER_MS);
      return stuck && `The ${stuck} has made no turn for over a minute`;
    },
  };
}
