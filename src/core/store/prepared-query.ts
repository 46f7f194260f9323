import { sql, type Compilable, type CompiledQuery, type RawBuilder } from 'kysely';
import type { Database } from './tables.ts';

/**
 * Builds and compiles a query once for each database, for queries that each answer needs several times: that takes
 * several times as long as SQLite needs to find a few rows.
 *
 * @param names of the parameters, all of them texts
 * @param build gets a function that returns a parameter as a value for the query
 * @example
 * const entriesOf = prepareQuery(['actor'], (db, parameter) =>
 *   db.selectFrom('audit').selectAll().where('actor', '=', parameter<string>('actor')),
 * );
 * const rows = await entriesOf(db, { actor: 'U0ADA' });
 */
export function prepareQuery<Name extends string, Row>(
  names: readonly Name[],
  build: (db: Database, parameter: <Value extends string>(name: Name) => RawBuilder<Value>) => Compilable<Row>,
): (db: Database, parameters: Readonly<Record<Name, string>>) => Promise<Row[]> {
  const compiledQueries = new WeakMap<Database, CompiledQuery<Row>>();
  const nameOf = new Map<unknown, Name>(names.map((name) => [placeholderOf(name), name]));
  const compile = (db: Database) => {
    const compiled = build(db, (name) => sql`${placeholderOf(name)}`).compile();
    compiledQueries.set(db, compiled);
    return compiled;
  };
  return async (db, parameters) => {
    const compiled = compiledQueries.get(db) ?? compile(db);
    const values = compiled.parameters.map((value) => {
      const name = nameOf.get(value);
      return name === undefined ? value : parameters[name];
    });
    const query: CompiledQuery<Row> = { ...compiled, parameters: values };
    return (await db.executeQuery(query)).rows;
  };
}

const placeholderOf = (name: string) => `:${name}`;
