import { stuckSentence } from './endings.ts';

/** The loops without which the program is of no use, and how often each turns when there is nothing to do. */
const USUAL_PAUSE_MS = { ticker: 60_000, outbox: 5_000 } as const;
export type Loop = keyof typeof USUAL_PAUSE_MS;
const LOOPS = Object.keys(USUAL_PAUSE_MS).filter((name): name is Loop => name in USUAL_PAUSE_MS);

export type Turn = 'began' | 'ended';

const UNREADY_AFTER_MS = 60_000;
const GIVEN_UP_AFTER_MS = 5 * 60_000;
const LOOK_EVERY_MS = 5_000;
/** Looked later than this: the process itself was stopped or the machine slept, and nothing could turn. */
const SLEPT_AFTER_MS = 30_000;

export interface Watchdog {
  /** Told by a loop when a turn begins and when it ends. */
  note(loop: Loop, turn: Turn): void;
  start(): void;
  stop(): void;
  /** What has not turned for over a minute; nothing when all do. */
  fault(): string | undefined;
}

/**
 * Ends the process when one of its loops is stuck: a supervisor starts it again, and the store knows the rest. Whatever they
 * wait for has bounds of its own; this is for what nobody thought of.
 *
 * @param nowMs a clock that only moves forward
 * @param onFatal told once, with a sentence for the operator
 */
export function createWatchdog(deps: { nowMs: () => number; onFatal: (reason: string) => void }): Watchdog {
  const seen = new Map<Loop, { atMs: number; isBusy: boolean }>();
  let lookedAtMs = deps.nowMs();
  let timer: NodeJS.Timeout | undefined;

  const silentMs = (loop: Loop): number => {
    const last = seen.get(loop);
    if (!last) return 0;
    return deps.nowMs() - last.atMs - (last.isBusy ? 0 : USUAL_PAUSE_MS[loop]);
  };
  const stuckFor = (limitMs: number) => LOOPS.find((loop) => silentMs(loop) > limitMs);

  const look = () => {
    const nowMs = deps.nowMs();
    const hasSlept = nowMs - lookedAtMs > SLEPT_AFTER_MS;
    lookedAtMs = nowMs;
    if (hasSlept) for (const last of seen.values()) last.atMs = nowMs;
    const stuck = stuckFor(GIVEN_UP_AFTER_MS);
    if (stuck) deps.onFatal(stuckSentence(stuck));
  };
  return {
    note: (loop, turn) => void seen.set(loop, { atMs: deps.nowMs(), isBusy: turn === 'began' }),
    start: () => {
      lookedAtMs = deps.nowMs();
      timer = setInterval(look, LOOK_EVERY_MS);
      timer.unref();
    },
    stop: () => clearInterval(timer),
    fault: () => {
      const stuck = stuckFor(UNREADY_AFTER_MS);
      return stuck && `The ${stuck} has made no turn for over a minute`;
    },
  };
}
