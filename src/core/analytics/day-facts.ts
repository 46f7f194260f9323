import type { ActivityRow, CreditsRow, ProductivityRow, ToolsRow } from '../platform/endpoints/analytics-rows.ts';
import { MINUTE_MS } from '../base/time/durations.ts';
import type { PlatformError } from '../platform/errors.ts';
import type { Day } from '../base/time/calendar.ts';

export interface DailyCreditsRow {
  date: Day;
  billable_tokens: number;
  /** Of a day that may still change, if it is known how such days changed before. */
  likely?: LikelyTotal | undefined;
}

/** In credits. In 8 of 10 cases, the total was between `low` and `high`. */
export interface LikelyTotal {
  expected: number;
  low: number;
  high: number;
}

/** Unknown is never zero. `rows` has a row for each published day, oldest first; other days are not published. */
export type Part<Row> = ReadPart<Row> | { kind: 'unreadable'; fault: PlatformError };

export interface ReadPart<Row> {
  kind: 'read';
  rows: readonly Row[];
  /** The time of the oldest request for days that may still change; now, if all days are settled. */
  readAt: Date;
  /** Why days are older than requested: the platform did not answer. */
  fault?: PlatformError;
}

export interface DaysOptions {
  /** By default, facts that may still change are read again, except rows of people, which take thousands of pages. */
  maxAgeMs?: number;
  /** What was read since then is recent enough, whatever its age: an answer asks for nothing twice. */
  readSince?: Date | undefined;
  /** If the platform does not answer, takes totals as they were last read; the part says so. */
  acceptsOlder?: boolean;
  /** Reads every day again, settled ones too. */
  isForced?: boolean;
  onProgress?: (done: number, days: number) => void;
}

/** The maximum age of such facts in background work: an evaluation a minute later causes no request. */
export const FACTS_MAX_AGE_MS = 3 * MINUTE_MS;

export interface OrganizationFacts {
  credits: Part<CreditsRow>;
  activity: Part<ActivityRow>;
  productivity: Part<ProductivityRow>;
  tools: Part<ToolsRow>;
}
