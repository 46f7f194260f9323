/** How an order ended. `gone`: the platform no longer knows the computer. */
export const OUTCOMES = ['ready', 'failed', 'ended', 'gone'] as const;
export type Outcome = (typeof OUTCOMES)[number];
