import type { WebClient } from '@slack/web-api';
import { sql } from 'kysely';
import {
  hashIdentifier,
  IDENTIFIER_KINDS,
  identifiersIn,
  type Identifier,
  type IdentifierKind,
  type Identifiers,
} from '../../../core/base/privacy/pseudonyms.ts';
import { readByEmail, readUser } from '../../../core/slack/people/named-people.ts';
import type { SlackUser } from '../../../core/slack/people/user.ts';
import type { Row, TablePolicy } from '../../../core/store/table-policy.ts';
import { eachRow, readTables, type DescribedStore } from './store-rows.ts';

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

/** Finds all identifiers of a person in Slack, the platform and the store. @param also a maiden name, or the like */
export async function findPerson(
  { lookups, ...store }: DescribedStore & { lookups: WebClient },
  email: string,
  also: readonly string[] = [],
): Promise<Identifiers> {
  const collection = createCollection();
  collection.add('email', email);
  for (const name of also) collection.add('name', name);
  addSlackUser(collection, await readByEmail(lookups, email));
  await addFromStore(store, collection);
  return collection.all();
}

function addSlackUser(collection: Collection, user: SlackUser | undefined): void {
  if (!user) return;
  collection.add('slackId', user.id);
  collection.add('email', user.profile?.email);
  collection.add('name', user.profile?.real_name);
  collection.add('name', user.profile?.display_name);
}

/** Adds the ids by which the store and the platform know an e-mail. */
async function addFromStore(store: DescribedStore, collection: Collection): Promise<void> {
  const tables = await readTables(store);
  for (const email of collection.all().email) {
    for (const { name, policy } of tables) {
      if (!policy.people) continue;
      await eachRow(store.db, name, policy.people.where(email), (row) => {
        for (const person of identifiersOfPeople(policy, row))
          if (person.some(({ kind, value }) => kind === 'email' && value.toLowerCase() === email))
            for (const { kind, value } of person) collection.add(kind, value);
      });
    }
  }
}

const identifiersOfPeople = ({ people }: TablePolicy, row: Row): Identifier[][] =>
  (people?.read(row) ?? []).map((person) =>
    IDENTIFIER_KINDS.flatMap((kind) => {
      const value = person[kind];
      return typeof value === 'string' ? [{ kind, value }] : [];
    }),
  );

/** Finds an erased person’s identifiers in a store that may be older than the erasure. @param pseudonyms by hash */
export async function findByHashes(
  { lookups, ...store }: DescribedStore & { lookups: WebClient },
  pseudonyms: Readonly<Record<string, string>>,
): Promise<Identifiers> {
  const collection = createCollection();
  const learn = (identifier: Identifier) => {
    if (Object.hasOwn(pseudonyms, hashIdentifier(identifier))) collection.add(identifier.kind, identifier.value);
  };
  for (const { name, policy, texts } of await readTables(store)) {
    await eachRow(store.db, name, sql<boolean>`1 = 1`, (row) => {
      for (const identifier of identifiersOfPeople(policy, row).flat()) learn(identifier);
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
}
