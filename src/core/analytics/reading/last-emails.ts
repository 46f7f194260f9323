import type { Clock } from '../../base/time/clock.ts';
import { dayOf, plusDays, type Day } from '../../base/time/calendar.ts';
import { MINUTE_MS } from '../../base/time/durations.ts';
import { eachInTurns } from '../../base/time/turns.ts';
import type { Database } from '../../store/tables.ts';
import { loadParts, readStoredDays } from './day-store.ts';
import { readPeople } from './resources.ts';

/** The platform leaves out an e-mail on single days. With older days, each id that never has one would take a second. */
const SEARCHED_DAYS = 35;
const KEPT_MS = 10 * MINUTE_MS;

export interface LastEmails {
  /** Returns the same rows, with the last e-mail that the store knows in place of a missing one. */
  complete<Row extends { user_id: string; user_email: string | null }>(rows: readonly Row[]): Promise<readonly Row[]>;
}

/**
 * Rows of one answer share an e-mail if one of its days has it. An answer about a single day may have none, so the stored
 * days are searched, from the latest one on, and again after some minutes, because other answers store more of them.
 */
export function createLastEmails({ db, clock }: { db: Database; clock: Clock }): LastEmails {
  let known = new Map<string, string | null>();
  let knownSince = clock.now();
  const search = async (wanted: ReadonlySet<string>): Promise<ReadonlyMap<string, string>> => {
    const found = new Map<string, string>();
    const today = dayOf(clock.now());
    const period = { first: plusDays(today, -SEARCHED_DAYS), last: today };
    const days: Day[] = [...(await readStoredDays(db, 'tokens', period)).keys()].toSorted().toReversed();
    for (const day of days) {
      const parts = (await loadParts(db, 'tokens', [day], 'all')).get(day) ?? [];
      for await (const [index, part] of eachInTurns([...parts.entries()].slice(1)))
        for (const { user_id: id, user_email: email } of readPeople.tokens(part, index))
          if (email !== null && email !== '' && wanted.has(id) && !found.has(id)) found.set(id, email);
      if (found.size === wanted.size) break;
    }
    return found;
  };
  return {
    complete: async (rows) => {
      const missing = rows.filter(({ user_email: email }) => !email);
      if (missing.length === 0) return rows;
      if (clock.now().getTime() - knownSince.getTime() >= KEPT_MS) {
        known = new Map();
        knownSince = clock.now();
      }
      const wanted = new Set(missing.map(({ user_id: id }) => id).filter((id) => !known.has(id)));
      if (wanted.size > 0) {
        const found = await search(wanted);
        for (const id of wanted) known.set(id, found.get(id) ?? null);
      }
      return rows.map((row) => {
        const email = row.user_email ? null : known.get(row.user_id);
        return email ? { ...row, user_email: email } : row;
      });
    },
  };
}
