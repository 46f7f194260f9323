import { DAY_MS } from '../../base/time/durations.ts';
import type { Clock } from '../../base/time/clock.ts';

/** Slack brings what is new to one workspace after another. */
const ASK_AGAIN_MS = DAY_MS;

/** Whether this workspace takes charts, and tables above the older limits, as far as that is known. */
export interface ChartSupport {
  isLikely(): boolean;
  /** A message was refused with its charts and taken without them. */
  noteRefusal(): void;
  largeTables: LargeTableSupport;
}

export interface LargeTableSupport {
  /** Slack has taken one here. */
  isKnown(): boolean;
  /** Nothing is known, so an answer that can be given once more may try. */
  isWorthATry(): boolean;
  noteTaken(): void;
  noteRefusal(): void;
}

/** Remembers a refusal for a day, so that the next messages go out at once in a form that is taken. */
export function createChartSupport(clock: Clock): ChartSupport {
  const nowMs = () => clock.now().getTime();
  let chartsRefusedUntilMs = 0;
  let tablesRefusedUntilMs = 0;
  let areLargeTablesTaken = false;
  return {
    isLikely: () => nowMs() >= chartsRefusedUntilMs,
    noteRefusal: () => {
      chartsRefusedUntilMs = nowMs() + ASK_AGAIN_MS;
    },
    largeTables: {
      isKnown: () => areLargeTablesTaken,
      isWorthATry: () => areLargeTablesTaken || nowMs() >= tablesRefusedUntilMs,
      noteTaken: () => {
        areLargeTablesTaken = true;
      },
      noteRefusal: () => {
        areLargeTablesTaken = false;
        tablesRefusedUntilMs = nowMs() + ASK_AGAIN_MS;
      },
    },
  };
}
