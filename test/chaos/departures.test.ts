import { expect, test } from 'vitest';
import { deleteBeforeCorrections, departAgainAndAgain, loseDeciders } from '../support/outages/departures.ts';

const ROUNDS = Number(process.env['DEPARTURES'] ?? 9);

test(`${ROUNDS} digests that are deleted by hand before they are corrected are not posted again`, async () => {
  const tally = await deleteBeforeCorrections(ROUNDS);
  process.stdout.write(`deleted digests: ${JSON.stringify(tally)}\n`);
  expect(tally).toMatchObject({ again: [], wrong: [], fatal: [] });
}, 900_000);

test(`owners, readers and admins who leave, ${ROUNDS} times, cost nothing, and whoever is left is told once`, async () => {
  const tally = await departAgainAndAgain(ROUNDS);
  process.stdout.write(`people who leave: ${JSON.stringify(tally)}\n`);
  expect(tally).toMatchObject({ lost: [], doubled: [], wrong: [] });
}, 900_000);

test(`requests whose only decider leaves, ${ROUNDS} times, tell who asked once, and wait for the next admin`, async () => {
  const tally = await loseDeciders(ROUNDS);
  process.stdout.write(`deciders who leave: ${JSON.stringify(tally)}\n`);
  expect(tally).toMatchObject({ lost: [], doubled: [], wrong: [] });
}, 900_000);
