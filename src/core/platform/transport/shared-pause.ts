import type { Clock } from '../../base/time/clock.ts';

/** After a 429 no call is sent for a while, not only the refused one. */
export interface SharedPause {
  /** How long no call may be sent, in milliseconds; 0 if there is no pause. */
  remainingMs(): number;
  /** @param waitMsOf the wait after this many refusals in a row; those of calls that were sent together count once */
  refused(waitMsOf: (refusals: number) => number): void;
  /** A call was answered, so the next refusal is the first one. */
  answered(): void;
}

/** It ends on the clock or in real time, whichever comes first: a stopped clock alone could hold every call for ever. */
export function createSharedPause(clock: Clock): SharedPause {
  let clockEndMs = -Infinity;
  let realEndMs = -Infinity;
  let refusals = 0;
  const remainingMs = () => Math.max(0, Math.min(clockEndMs - clock.now().getTime(), realEndMs - performance.now()));
  return {
    remainingMs,
    refused: (waitMsOf) => {
      if (remainingMs() === 0) refusals += 1;
      const waitMs = waitMsOf(refusals);
      clockEndMs = Math.max(clockEndMs, clock.now().getTime() + waitMs);
      realEndMs = Math.max(realEndMs, performance.now() + waitMs);
    },
    answered: () => {
      refusals = 0;
    },
  };
}
