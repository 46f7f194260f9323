import { expect, test } from 'vitest';
import { openStore } from '../../../src/core/store/database.ts';
import { openingProgram, runProgram } from '../../support/processes/opening-program.ts';
import { availableEngines, createEmptyDatabase } from '../../support/stores/databases.ts';

test.each(availableEngines())('several programs may start together on an empty database, on %s', async (engine) => {
  const database = await createEmptyDatabase(engine);
  const programs = Array.from({ length: 4 }, () => runProgram(openingProgram(database.url)));
  expect(await Promise.all(programs)).toEqual(Array.from({ length: 4 }, () => 'opened\n'));
  const store = await openStore(database.url);
  expect(await store.db.selectFrom('deliveries').selectAll().execute()).toEqual([]);
  await store.close();
  await database.drop();
});
