/**
 * Which document the simulated platform follows: `contract` is the API document that the bot was written against; `today`
 * is the public documentation of November 2026, with its further operations and other rules.
 */
export const EDITIONS = ['contract', 'today'] as const;
export type Edition = (typeof EDITIONS)[number];
