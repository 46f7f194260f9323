import type { Clock } from '../schedule/clock.ts';

/** Slack brought charts to one workspace after another. */
const ASK_AGAIN_MS = 24 * 60 * 60_000;

/** Whether this workspace takes charts, as far as that is known. */
export interface ChartSupport {
  isLikely(): boolean;
  /** A message was refused with its charts and taken without them. */
  noteRefusal(): void;
}

/** Remembers a refusal for a day, so that the next messages go out with their tables at once. */
export function createChartSupport(clock: Clock): ChartSupport {
  let refusedUntilMs = 0;
  return {
    isLikely: () => clock.now().getTime() >= refusedUntilMs,
    noteRefusal: () => {
      refusedUntilMs = clock.now().getTime() + ASK_AGAIN_MS;
    },
  };
}
