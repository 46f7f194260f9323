import { createHmac } from 'node:crypto';
import type { AnalyticsDays } from '../../core/analytics/days.ts';
import type { Part } from '../../core/analytics/day-facts.ts';
import type { Day } from '../../core/base/time/calendar.ts';

export const EXPORTED_RESOURCES = ['tokens', 'tools', 'activity', 'productivity', 'users'] as const;
export type ExportedResource = (typeof EXPORTED_RESOURCES)[number];

export type DayRows =
  /** Always in the same order, so that the same day gives the same file. */
  | { kind: 'read'; rows: readonly object[]; readAt: Date }
  | { kind: 'unpublished' }
  | { kind: 'unreadable'; fault: Error };

export type HidePerson = <Row extends { user_id: string; user_email: string | null }>(row: Row) => Row;

export const hasCredits = (resource: ExportedResource): boolean => resource === 'tokens' || resource === 'users';

export const showPerson: HidePerson = (row) => row;

const HASH_LENGTH = 32;

/** An analyst can join the days of a hashed person. @param key kept from readers, who could use it to test e-mails */
export function hidePeople(key: string): HidePerson {
  const hash = hashPerson(key);
  return (row) => ({ ...row, user_id: hash(row.user_id), user_email: row.user_email && hash(row.user_email) });
}

/** @example hashPerson(key)('mia@acme.example') // '5f2c…', 32 characters */
export const hashPerson = (key: string) => (text: string) =>
  createHmac('sha256', key).update(`quartermaster export ${text.toLowerCase()}`).digest('hex').slice(0, HASH_LENGTH);

export async function readDay(
  days: AnalyticsDays,
  resource: ExportedResource,
  day: Day,
  hide: HidePerson,
): Promise<DayRows> {
  const period = { first: day, last: day };
  switch (resource) {
    case 'tokens':
      return ofPart(await days.credits(period));
    case 'tools':
      return ofPart(await days.tools(period));
    case 'activity':
      return ofPart(await days.activity(period));
    case 'productivity':
      return ofPart(await days.productivity(period));
    case 'users': {
      const rows: { user_id: string }[] = [];
      const part = await days.users(period, (row) => void rows.push(hide(row)));
      const read = ofPart(part.kind === 'read' ? { ...part, rows: part.rows.map((date) => ({ date })) } : part);
      return read.kind === 'read' ? { ...read, rows: rows.toSorted(byUser) } : read;
    }
    default:
      return resource satisfies never;
  }
}

const byUser = (one: { user_id: string }, other: { user_id: string }) => (one.user_id < other.user_id ? -1 : 1);

function ofPart(part: Part<object>): DayRows {
  if (part.kind === 'unreadable') return { kind: 'unreadable', fault: part.fault };
  return part.rows.length === 0 ? { kind: 'unpublished' } : { kind: 'read', rows: part.rows, readAt: part.readAt };
}
