import { DAY_MS } from '../../base/time/durations.ts';
import type { Clock } from '../../base/time/clock.ts';

/** Slack enables new features in one workspace after another. */
const ASK_AGAIN_MS = DAY_MS;

/** Whether this workspace accepts charts, and tables above the older limits, as far as known. */
export interface ChartSupport {
  isLikely(): boolean;
  recordRefusal(): void;
  largeTables: LargeTableSupport;
}

export interface LargeTableSupport {
  isKnown(): boolean;
  /** An answer may try a large table, because it can be repeated without it. */
  mayTry(): boolean;
  recordAccepted(): void;
  recordRefusal(): void;
}

/** Remembers a refusal for a day, so that the next messages are sent at once in an accepted form. */
export function createChartSupport(clock: Clock): ChartSupport {
  const nowMs = () => clock.now().getTime();
  let chartsRefusedUntilMs = 0;
  let tablesRefusedUntilMs = 0;
  let areLargeTablesAccepted = false;
  return {
    isLikely: () => nowMs() >= chartsRefusedUntilMs,
    recordRefusal: () => {
      chartsRefusedUntilMs = nowMs() + ASK_AGAIN_MS;
    },
    largeTables: {
      isKnown: () => areLargeTablesAccepted,
      mayTry: () => areLargeTablesAccepted || nowMs() >= tablesRefusedUntilMs,
      recordAccepted: () => {
        areLargeTablesAccepted = true;
      },
      recordRefusal: () => {
        areLargeTablesAccepted = false;
        tablesRefusedUntilMs = nowMs() + ASK_AGAIN_MS;
      },
    },
  };
}
