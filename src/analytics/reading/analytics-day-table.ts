/** The platform's collections of daily facts, by the last part of their path and how they are grouped. */
export type Resource = 'tokens' | 'tokens-by-model' | 'tools' | 'activity' | 'productivity' | 'users';

/** All times are ISO 8601 in UTC with milliseconds. */
export interface AnalyticsDayTable {
  resource: Resource;
  day: string;
  /** 0: what a small answer needs. From 1 on: rows of people, so many at a time that none holds the process up. */
  part: number;
  /**
   * The state of the day when it was read: only what is `settled` is never read again. `rolled_up`: settled, and only its totals
   * are kept.
   */
  state: 'fresh' | 'settled' | 'rolled_up';
  read_at: string;
  /** When the facts were first read, or last turned out to be others than before. */
  changed_at: string;
  /** Of all parts of the day together. */
  fingerprint: string;
  /** JSON whose shape the resource knows. */
  facts: string;
}

declare module '../../store/tables.ts' {
  interface Tables {
    analytics_days: AnalyticsDayTable;
  }
}
