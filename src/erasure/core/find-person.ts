import type { WebClient } from '@slack/web-api';
import { sql } from 'kysely';
import { z } from 'zod';
import {
  hashIdentifier,
  IDENTIFIER_KINDS,
  identifiersIn,
  type Identifier,
  type IdentifierKind,
  type Identifiers,
} from '../../base/privacy/pseudonyms.ts';
import { readByEmail, readUser } from '../../slack/people/named-people.ts';
import type { SlackUser } from '../../slack/people/user.ts';
import type { Database } from '../../store/tables.ts';
import { eachRow, readTables } from './store-rows.ts';

function createCollection() {
  const valuesByKind = new Map<IdentifierKind, Set<string>>(IDENTIFIER_KINDS.map((kind) => [kind, new Set()]));
  return {
    add: (kind: IdentifierKind, value: string | null | undefined) => {
      const text = value?.trim();
      if (text) valuesByKind.get(kind)?.add(kind === 'email' ? text.toLowerCase() : text);
    },
    all: (): Identifiers => {
      const [email = [], slackId = [], userId = [], name = []] = IDENTIFIER_KINDS.map((kind) => [
        ...(valuesByKind.get(kind) ?? []),
      ]);
      return { email, slackId, userId, name };
    },
  };
}
type Collection = ReturnType<typeof createCollection>;

/**
 * Finds every identifier of the person with an e-mail: in Slack, on the platform and in the store.
 *
 * @param also other words that name them, such as a maiden name
 */
export async function findPerson(
  { db, lookups }: { db: Database; lookups: WebClient },
  email: string,
  also: readonly string[] = [],
): Promise<Identifiers> {
  const collection = createCollection();
  collection.add('email', email);
  for (const name of also) collection.add('name', name);
  addSlackUser(collection, await readByEmail(lookups, email));
  await addFromStore(db, collection);
  return collection.all();
}

function addSlackUser(collection: Collection, user: SlackUser | undefined): void {
  if (!user) return;
  collection.add('slackId', user.id);
  collection.add('email', user.profile?.email);
  collection.add('name', user.profile?.real_name);
  collection.add('name', user.profile?.display_name);
}

const requestsSchema = z.array(z.object({ slack_id: z.string().nullable() }));
const authorsSchema = z.array(z.object({ user_id: z.string().nullable(), user_name: z.string().nullable() }));
/** The beginning of a person's row; the rest is ignored. */
const personRow = z
  .array(z.unknown())
  .pipe(z.tuple([z.string(), z.string().nullable()]).rest(z.unknown()))
  .transform(([userId, email]) => ({ userId, email }));

/** Adds the ids by which the store and the platform know an e-mail. */
async function addFromStore(db: Database, collection: Collection): Promise<void> {
  for (const email of collection.all().email) {
    const requests = await sql`select slack_id from limit_request_people where email = ${email}
      union select requester as slack_id from limit_requests where requester_email = ${email}`.execute(
      db.withoutPlugins(),
    );
    for (const { slack_id: id } of requestsSchema.parse(requests.rows)) collection.add('slackId', id);
    const authors = await sql`select user_id, user_name from revisions where lower(user_email) = ${email}`.execute(
      db.withoutPlugins(),
    );
    for (const { user_id: id, user_name: name } of authorsSchema.parse(authors.rows)) {
      collection.add('userId', id);
      collection.add('name', name);
    }
    const isNamed = sql<boolean>`part > 0 and lower(facts) like ${`%"${email}"%`}`;
    await eachRow(db, 'analytics_days', isNamed, ({ facts }) => {
      for (const person of peopleOf(String(facts)))
        if (person.email?.toLowerCase() === email) collection.add('userId', person.userId);
    });
  }
}

function peopleOf(facts: string): z.infer<typeof personRow>[] {
  const rows = z.array(z.unknown()).safeParse(JSON.parse(facts)).data ?? [];
  return rows.flatMap((row) => personRow.safeParse(row).data ?? []);
}

/**
 * Finds the identifiers of an erased person in a store that may be older than the erasure, through their hashes.
 *
 * @param pseudonyms by hash
 */
export async function findByHashes(
  { db, lookups }: { db: Database; lookups: WebClient },
  pseudonyms: Readonly<Record<string, string>>,
): Promise<Identifiers> {
  const collection = createCollection();
  const learn = (identifier: Identifier) => {
    if (Object.hasOwn(pseudonyms, hashIdentifier(identifier))) collection.add(identifier.kind, identifier.value);
  };
  for (const { name, texts } of await readTables(db)) {
    await eachRow(db, name, sql<boolean>`1 = 1`, (row) => {
      for (const column of texts) if (typeof row[column] === 'string') learnFrom(row[column], learn);
    });
  }
  for (const user of collection.all().slackId) addSlackUser(collection, await readUser(lookups, user));
  return collection.all();
}

const MAX_WHOLE_LENGTH = 200;

function learnFrom(text: string, learn: (identifier: Identifier) => void): void {
  for (const identifier of identifiersIn(text)) learn(identifier);
  if (text.length < MAX_WHOLE_LENGTH) for (const kind of ['userId', 'name'] as const) learn({ kind, value: text });
  if (text.startsWith('[[')) for (const { userId: value } of peopleOf(text)) learn({ kind: 'userId', value });
}
