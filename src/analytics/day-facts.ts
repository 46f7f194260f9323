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

/** The people of a day; empty for a published day without any use. */
export interface PeopleCreditsRow {
  date: Day;
  people: readonly PersonDayCredits[];
}

/** The credits of a day, without their breakdown. */
export interface DailyCreditsRow {
  date: Day;
  billable_tokens: number;
}

/**
 * One kind of facts over a range of days, or the reason why they could not be read: never zero in place of unknown.
 *
 * `rows` holds one row for each published day, oldest first; a day without a row is not published.
 */
export type Part<Row> = ReadPart<Row> | { kind: 'unreadable'; fault: PlatformError };

export interface ReadPart<Row> {
  kind: 'read';
  rows: readonly Row[];
  /** The time of the oldest request for days that may still change; now, if all days are settled. */
  readAt: Date;
}

export interface DaysOptions {
  /**
   * The maximum age of facts that may still change. By default they are read again, except for the rows of people:
   * those take thousands of pages in a large organization.
   */
  maxAgeMs?: number;
  onProgress?: (done: number, days: number) => void;
}

/** The maximum age of such facts in background work: an evaluation a minute later causes no request. */
export const FACTS_MAX_AGE_MS = 3 * MINUTE_MS;

/** The requested facts of an organization over a range of days. */
export interface OrganizationFacts {
  credits: Part<CreditsRow>;
  activity: Part<ActivityRow>;
  productivity: Part<ProductivityRow>;
  tools: Part<ToolsRow>;
}
