import { sql } from 'kysely';
import { z } from 'zod';
import type { Identifiers } from '../../base/privacy/pseudonyms.ts';
import type { PersonInRow, PoliciesOf } from '../../store/table-policy.ts';
import type { Database, Tables } from '../../store/tables.ts';
import { peopleRetention } from './roll-up.ts';

export const analyticsPolicies: PoliciesOf<Pick<Tables, 'analyticsDays' | 'analyticsReadings'>> = {
  analyticsDays: {
    what: 'daily figures',
    reasonToKeep: 'sums over people stay those of the organization',
    content: 'platform',
    people: {
      where: (email) => sql<boolean>`part > 0 and lower(facts) like ${`%"${email}"%`}`,
      read: ({ facts }) => peopleIn(String(facts)),
    },
    ownParts: ownDays,
    retention: [peopleRetention],
  },
  analyticsReadings: { what: 'which process reads a day' },
};

const rowsSchema = z.array(z.unknown()).catch([]);
/** The beginning of a person's row; the rest is ignored. */
const personRow = z
  .array(z.unknown())
  .pipe(z.tuple([z.string(), z.string().nullable()]).rest(z.unknown()))
  .transform(([userId, email]) => ({ userId, email }));

const peopleIn = (facts: string): PersonInRow[] =>
  rowsSchema.parse(JSON.parse(facts)).flatMap((row) => personRow.safeParse(row).data ?? []);

const peopleSchema = z.array(z.array(z.unknown()));

async function* ownDays(db: Database, { email, userId }: Identifiers) {
  const ownIdentifiers = new Set([...email, ...userId]);
  const ofPeople = db.selectFrom('analyticsDays').where('part', '>', 0);
  const days = await ofPeople.select(['resource', 'day']).distinct().orderBy('day').orderBy('resource').execute();
  for (const { resource, day } of days) {
    const parts = await ofPeople.select('facts').where('resource', '=', resource).where('day', '=', day).execute();
    for (const values of parts.flatMap(({ facts }) => peopleSchema.parse(JSON.parse(facts)))) {
      const [id, address] = values;
      const isOwn =
        ownIdentifiers.has(String(id)) || (typeof address === 'string' && ownIdentifiers.has(address.toLowerCase()));
      if (isOwn) yield { resource, day, values };
    }
  }
}
