/** What the simulated Slack and platform know of time. */
export interface Clock {
  now(): Date;
}

/** Runs at real speed. @param start the first instant that it shows */
export function clockFrom(start: Date): Clock {
  const aheadMs = start.getTime() - performance.now();
  return { now: () => new Date(aheadMs + performance.now()) };
}

export const realClock: Clock = { now: () => new Date() };
