import type {
  ActivityRow,
  CreditsRow,
  PersonDayCredits,
  ProductivityRow,
  ToolsRow,
} from '../platform/endpoints/analytics-rows.ts';
import { MINUTE_MS } from '../base/time/durations.ts';
import type { PlatformError } from '../platform/errors.ts';
import type { Day } from '../base/time/calendar.ts';

/** The people of a day; a day that is published and on which nobody used anything has none. */
export interface PeopleCreditsRow {
  date: Day;
  people: readonly PersonDayCredits[];
}

/** The credits of a day, and nothing of what they are made of. */
export interface DailyCreditsRow {
  date: Day;
  billable_tokens: number;
}

/**
 * One kind of facts over a range of days: read, or not readable for a reason. Never both zero and unknown.
 *
 * `rows` holds one row for each published day, oldest first; a day without a row is not published.
 */
export type Part<Row> = ReadPart<Row> | { kind: 'unreadable'; fault: PlatformError };

export interface ReadPart<Row> {
  kind: 'read';
  rows: readonly Row[];
  /** When the platform was asked for the oldest of what may still change; now, if all of it is settled. */
  readAt: Date;
}

export interface DaysOptions {
  /**
   * How old what may still change may be. By default it is read again, but for the rows of people: those are thousands of
   * pages in a large organization.
   */
  maxAgeMs?: number;
  onProgress?: (done: number, days: number) => void;
}

/** How old what may still change may be where nobody waits for it: a look a minute later asks the platform nothing. */
export const FACTS_MAX_AGE_MS = 3 * MINUTE_MS;

/** The facts of an organization over a range of days, as far as they were asked for. */
export interface OrganizationFacts {
  credits: Part<CreditsRow>;
  activity: Part<ActivityRow>;
  productivity: Part<ProductivityRow>;
  tools: Part<ToolsRow>;
}
