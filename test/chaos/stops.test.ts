import { describe, expect, test } from 'vitest';
import { OUTBOX_TIMES } from '../../src/outbox/attempt.ts';
import { availableEngines } from '../support/databases.ts';
import { showLate, stopAtRandom, type Tally } from '../support/outbox-rounds.ts';

const STOPS = Number(process.env['STOPS'] ?? 1_000);
/** Of the sixty seconds that a lease lasts in production. */
const FULL_LENGTH_STOPS = Number(process.env['FULL_LENGTH_STOPS'] ?? 10);
const MESSAGES = 300;

const report = (title: string, tally: Tally) => {
  process.stdout.write(`${title}: ${JSON.stringify(tally)}\n`);
  expect(tally).toMatchObject({ lost: [], doubled: [], unsettled: [] });
};

// Most of their time they wait, so they do it side by side.
describe.runIf(availableEngines().includes('postgres')).concurrent('of two replicas', () => {
  test(`after ${STOPS} stops at random instants nothing is lost and nothing stands twice`, async () => {
    report(`${STOPS} stops`, await stopAtRandom(STOPS));
  }, 1_800_000);

  test(`after ${FULL_LENGTH_STOPS} stops of up to three minutes, with leases as in production, the same holds`, async () => {
    const tally = await stopAtRandom(FULL_LENGTH_STOPS, { times: OUTBOX_TIMES, plannedEveryMs: 1_500 });
    report(`${FULL_LENGTH_STOPS} stops at full length`, tally);
  }, 1_800_000);

  test(`of ${MESSAGES} messages, half of which the history shows late, each stands once`, async () => {
    report(`${MESSAGES} messages`, await showLate(MESSAGES));
  }, 300_000);
});
