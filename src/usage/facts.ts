import type { PlatformClient } from '../platform/client.ts';
import { isPlatformError, type PlatformError } from '../platform/errors.ts';
import type { ActivityRow, ProductivityRow, TokensByModelRow, TokensRow, UserRow } from '../platform/analytics-rows.ts';
import { daysOf, type Period } from '../slack/periods.ts';

/** One part of the answer: read, or not readable for a reason. Never both zero and unknown. */
export type Part<Rows> = { kind: 'read'; rows: Rows } | { kind: 'unreadable'; fault: PlatformError };

/** The organization's figures. */
export interface OrganizationFacts {
  readAt: Date;
  credits: Part<TokensByModelRow[]>;
  activity: Part<ActivityRow[]>;
  productivity: Part<ProductivityRow[]>;
}

/** How many people's credits of a day: the rows of `/tokens`, which name them. */
export type CreditsByPerson = Part<TokensRow[]>;

async function part<Rows>(read: Promise<{ data: Rows }>): Promise<Part<Rows>> {
  try {
    return { kind: 'read', rows: (await read).data };
  } catch (error) {
    if (isPlatformError(error)) return { kind: 'unreadable', fault: error };
    throw error;
  }
}

/**
 * Reads what a summary needs with three calls, whatever the size of the organization: `group_by=model` leaves the people out.
 *
 * @param period with the period before it, if that is compared
 */
export async function readOrganizationFacts(
  platform: PlatformClient,
  period: Period,
  now: () => Date,
): Promise<OrganizationFacts> {
  const range = { startDate: period.first, endDate: period.last };
  const [credits, activity, productivity] = await Promise.all([
    part(platform.analytics.tokensByModel(range)),
    part(platform.analytics.activity(range)),
    part(platform.analytics.productivity(range)),
  ]);
  return { readAt: now(), credits, activity, productivity };
}

/** Reads credits with the people who used them: one call, but large in a large organization. */
export async function readCreditsByPerson(platform: PlatformClient, period: Period): Promise<CreditsByPerson> {
  return part(platform.analytics.tokens({ startDate: period.first, endDate: period.last }));
}

/**
 * Reads the daily rows of some people. The platform has no filter by person, so every page of every day is read, the days
 * side by side, and rows of others are dropped as they arrive.
 *
 * @param isWanted decides on each row
 * @param onDay told after each day how many are done
 */
export async function readUserRows(
  platform: PlatformClient,
  period: Period,
  isWanted: (row: UserRow) => boolean,
  onDay: (done: number) => void,
): Promise<Part<UserRow[]>> {
  const wanted: UserRow[] = [];
  let done = 0;
  const readDay = async (day: string) => {
    for await (const row of platform.analytics.eachUser({ startDate: day, endDate: day })) {
      if (isWanted(row)) wanted.push(row);
    }
    done += 1;
    onDay(done);
  };
  try {
    await Promise.all(daysOf(period).map(readDay));
    return { kind: 'read', rows: wanted };
  } catch (error) {
    if (isPlatformError(error)) return { kind: 'unreadable', fault: error };
    throw error;
  }
}
