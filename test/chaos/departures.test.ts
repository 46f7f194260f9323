import { expect, test } from 'vitest';
import { deleteBeforeCorrections, departAgainAndAgain, loseDeciders } from './departures.ts';

const ROUNDS = Number(process.env['DEPARTURES'] ?? 9);

test(`${ROUNDS} digests that are deleted by hand before they are corrected are not posted again`, async () => {
  const tally = await deleteBeforeCorrections(ROUNDS);
  process.stdout.write(`deleted digests: ${JSON.stringify(tally)}\n`);
  expect(tally).toMatchObject({ again: [], wrong: [], fatal: [] });
}, 900_000);

test(`${ROUNDS} departures of owners, readers and admins lose nothing, and the remaining people are notified once`, async () => {
  const tally = await departAgainAndAgain(ROUNDS);
  process.stdout.write(`people who leave: ${JSON.stringify(tally)}\n`);
  expect(tally).toMatchObject({ lost: [], doubled: [], wrong: [] });
}, 900_000);

test(`requests whose only decider leaves, ${ROUNDS} times, send the requester one notice and wait for the next admin`, async () => {
  const tally = await loseDeciders(ROUNDS);
  process.stdout.write(`deciders who leave: ${JSON.stringify(tally)}\n`);
  expect(tally).toMatchObject({ lost: [], doubled: [], wrong: [] });
}, 900_000);
