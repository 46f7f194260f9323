import { z } from 'zod';
import { createPseudonyms, type Pseudonyms } from '../../base/privacy/pseudonyms.ts';
import { HOUR_MS } from '../../base/time/durations.ts';
import { pseudonymsColumn } from '../../store/erased-people.ts';
import { DayParts } from './day-parts.ts';
import type { Database, DatabaseTransaction } from '../../store/tables.ts';

const CLOCKS_DIFFER_MS = HOUR_MS;

/** Renames people who were erased during the reading, perhaps by another process: use it before storing or showing. */
export async function withPseudonyms<Read extends { readAt: Date; parts: DayParts }>(
  db: Database | DatabaseTransaction,
  days: readonly Read[],
): Promise<readonly Read[]> {
  const ofPeople = days.filter(({ parts }) => parts.length > 1);
  if (ofPeople.length === 0) return days;
  const since = Math.min(...ofPeople.map(({ readAt }) => readAt.getTime())) - CLOCKS_DIFFER_MS;
  const rows = await db
    .selectFrom('erasures')
    .select('pseudonyms')
    .where('askedAt', '>=', new Date(since).toISOString())
    .execute();
  if (rows.length === 0) return days;
  const stored = rows.flatMap((row) => Object.entries(pseudonymsColumn.read(row.pseudonyms)));
  const pseudonyms = createPseudonyms(new Map(stored));
  return days.map((day) => {
    if (day.parts.length <= 1) return day;
    const parts = new DayParts();
    for (const part of day.parts) parts.push(parts.length === 0 ? part : rename(part, pseudonyms));
    return { ...day, parts };
  });
}

/** The beginning of a person’s row, whatever else it holds. */
const personRow = z.array(z.unknown()).pipe(z.tuple([z.string(), z.string().nullable()]).rest(z.unknown()));

function rename(part: string, pseudonyms: Pseudonyms): string {
  let isChanged = false;
  const rows = z
    .array(z.unknown())
    .parse(JSON.parse(part))
    .map((row) => {
      const person = personRow.safeParse(row).data;
      if (!person) return row;
      const [userId, email, ...rest] = person;
      const byId = pseudonyms.find({ kind: 'userId', value: userId });
      const byEmail = email === null ? undefined : pseudonyms.find({ kind: 'email', value: email });
      const id = byId ?? byEmail;
      if (id === undefined) return row;
      isChanged = true;
      return [id, email === null ? null : (byEmail ?? `${id}@erased.invalid`), ...rest];
    });
  return isChanged ? JSON.stringify(rows) : part;
}
