import { DISCLOSURE_KINDS, type DisclosureKind, type RecordDisclosure } from '../../core/base/privacy/disclosure.ts';
import type { Clock } from '../../core/base/time/clock.ts';
import { batchesOf } from '../../core/base/time/turns.ts';
import { dayOf, type Day } from '../../core/base/time/calendar.ts';
import { rowRetention } from '../../core/store/row-retention.ts';
import { isAmong, type PoliciesOf } from '../../core/store/table-policy.ts';
import type { Database, Tables } from '../../core/store/tables.ts';

/** Represents a list that may include any person. */
const EVERYBODY = '';

interface DisclosureTable {
  looker: string;
  /** An e-mail in lower case; empty: everyone. */
  subject: string;
  what: string;
  /** A date in UTC. */
  day: string;
}

declare module '../../core/store/tables.ts' {
  interface Tables {
    figureLooks: DisclosureTable;
  }
}

/** Keeps one row per day, reader, person and part of the product. */
export function createDisclosureRecord({ db, clock }: { db: Database; clock: Clock }): RecordDisclosure {
  return async ({ to: reader, self, names: { what, of } }) => {
    const subjects = of === 'everybody' ? [EVERYBODY] : [...new Set(of)].filter((email) => email !== self);
    const day = dayOf(clock.now());
    const rows = subjects.map((subject) => ({ looker: reader, subject: subject.toLowerCase(), what, day }));
    if (rows.length === 0) return;
    // One wait for the disk. Two transactions that insert the same rows do so in the same order.
    const inOrder = rows.toSorted((a, b) => (a.subject < b.subject ? -1 : 1));
    await db.transaction().execute(async (trx) => {
      for (const some of batchesOf(inOrder, { maxItems: 200 })) {
        await trx
          .insertInto('figureLooks')
          .values(some)
          .onConflict((conflict) => conflict.doNothing())
          .execute();
      }
    });
  };
}

export interface RecordedDisclosure {
  reader: string;
  isOfEverybody: boolean;
  what: DisclosureKind;
  day: Day;
}

const MAX_READ = 2_000;

/** Newest first. */
export async function listDisclosures(db: Database, email: string, since: Day): Promise<RecordedDisclosure[]> {
  const rows = await db
    .selectFrom('figureLooks')
    .select(['looker', 'subject', 'what', 'day'])
    .where('subject', 'in', [email.toLowerCase(), EVERYBODY])
    .where('day', '>=', since)
    .orderBy('day', 'desc')
    .orderBy('looker')
    .orderBy('what')
    .limit(MAX_READ)
    .execute();
  return rows.flatMap(({ looker: reader, subject, what, day }) => {
    const disclosureKind = DISCLOSURE_KINDS.find((kind) => kind === what);
    return disclosureKind ? [{ reader, isOfEverybody: subject === EVERYBODY, what: disclosureKind, day }] : [];
  });
}

const DISCLOSURES = { table: 'figureLooks', key: ['subject', 'day', 'looker', 'what'], column: 'day' };

export const disclosurePolicies: PoliciesOf<Pick<Tables, 'figureLooks'>> = {
  figureLooks: {
    what: 'who saw whose figures',
    deleted: ({ email }) => isAmong('subject', email),
    reasonToKeep: 'others see who saw theirs',
    retention: [rowRetention('looks', DISCLOSURES, dayOf)],
  },
};
