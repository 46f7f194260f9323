import { sql, type RawBuilder } from 'kysely';
import type { IdentifierKind, Identifiers } from '../base/privacy/pseudonyms.ts';
import type { Retention } from './row-retention.ts';
import type { Database, DatabaseTransaction } from './tables.ts';

export type Row = Record<string, string | number | null>;
/** The columns of a row with new texts. */
export type Changes = Record<string, string>;

/**
 * How an erasure changes a text. E-mails and Slack ids are always replaced.
 *
 * `text`: by people, or about them. Names are replaced too. An id of the platform may be any word here, such as a state.
 * `platform`: from the platform, which names people by their ids.
 * `paths`: ids of the platform are replaced, but no names, which may be any word of a setting.
 * `settings text`: quotes settings, so that neither is replaced.
 * `settings`: JSON of settings, changed as in an answer of the platform.
 * `name`: the name of the person; replaced as a whole.
 * `fixed`: never changed.
 */
export type TextContent = 'text' | 'platform' | 'paths' | 'settings text' | 'settings' | 'name' | 'fixed';
type ContentOf = TextContent | ((row: Row, identifiers: Identifiers) => TextContent);

export type PersonInRow = Partial<Record<IdentifierKind, Row[string] | undefined>>;

/** What a table holds of people, what an erasure does with it, and when it is deleted anyway. */
export interface TablePolicy<Column extends string = string> {
  /** A phrase for readers of an inventory. */
  what: string;
  /** The tables that its rows reference: their rows are deleted later. */
  references?: readonly string[];
  /** Selects the rows that are deleted; the person gets a pseudonym in the others. Missing: none is deleted. */
  deleted?: (identifiers: Identifiers) => RawBuilder<boolean>;
  /** The rows disappear by themselves after minutes, so no inventory names them. */
  isPassing?: true;
  /** Why rows stay, with a pseudonym. Missing: none of theirs can stay. */
  reasonToKeep?: string;
  /** The content of all texts except those in `columns`. Missing: `text`. */
  content?: ContentOf;
  columns?: Readonly<Partial<Record<Column, ContentOf>>>;
  /** Columns about others, which a person does not get with their rows. */
  ofOthers?: readonly Column[];
  /** Finds more identifiers of a person by an e-mail in lower case. */
  people?: { where: (email: string) => RawBuilder<boolean>; read: (row: Row) => readonly PersonInRow[] };
  /** Reads the person's parts of rows that hold many people. Missing: a row that contains an identifier is theirs. */
  ownParts?: (db: Database, identifiers: Identifiers) => AsyncIterable<Readonly<Record<string, unknown>>>;
  beforeErasure?: (db: Database, identifiers: Identifiers, now: Date) => Promise<void>;
  /** Writes pseudonyms into a row that others depend on. @returns whether it changed anything */
  pseudonymize?: (trx: DatabaseTransaction, before: Row, changes: Changes) => Promise<boolean>;
  retention?: readonly Retention[];
}

export type TablePolicies = Readonly<Record<string, TablePolicy>>;

/** The policies for all tables of an interface. @example const TEAMS: PoliciesOf<TeamTables> = { … } */
export type PoliciesOf<Named> = { readonly [Name in keyof Named]: TablePolicy<keyof Named[Name] & string> };

export const isAmong = (column: string, values: readonly string[]) =>
  values.length === 0 ? sql<boolean>`1 = 0` : sql<boolean>`${sql.ref(column)} in (${sql.join(values)})`;

export const isLikeAny = (column: string, patterns: readonly string[]) =>
  patterns.length === 0
    ? sql<boolean>`1 = 0`
    : sql<boolean>`(${sql.join(
        patterns.map((pattern) => sql`${sql.ref(column)} like ${pattern}`),
        sql` or `,
      )})`;

/** Selects rows by the Slack id in a column. */
export const bySlackId =
  (column: string) =>
  ({ slackId }: Identifiers) =>
    isAmong(column, slackId);

export async function writeTexts(
  trx: DatabaseTransaction,
  table: string,
  changes: Changes,
  isRow: RawBuilder<boolean>,
): Promise<void> {
  const assignments = Object.entries(changes).map(([column, text]) => sql`${sql.ref(column)} = ${text}`);
  await sql`update ${sql.table(table)} set ${sql.join(assignments)} where ${isRow}`.execute(trx);
}
