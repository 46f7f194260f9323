import { describe, expect, test } from 'vitest';
import { OUTBOX_TIMES } from '../../src/core/outbox/attempts/delivery-outcomes.ts';
import { availableEngines } from '../support/stores/databases.ts';
import { showLate, stopAtRandom, type Tally } from '../support/outbox/outbox-rounds.ts';

const STOPS = Number(process.env['STOPS'] ?? 1_000);
/** A fraction of the sixty seconds of a lease in production. */
const FULL_LENGTH_STOPS = Number(process.env['FULL_LENGTH_STOPS'] ?? 10);
const MESSAGES = 300;

const ALL_STAND_ONCE = { lost: [], doubled: [], unsettled: [] };
const reported = (title: string, tally: Tally) => {
  process.stdout.write(`${title}: ${JSON.stringify(tally)}\n`);
  return tally;
};

// They mostly wait, so they run side by side.
describe.runIf(availableEngines().includes('postgres')).concurrent('of two replicas', () => {
  test(`after ${STOPS} stops at random instants nothing is lost and nothing appears twice`, async () => {
    expect(reported(`${STOPS} stops`, await stopAtRandom(STOPS))).toMatchObject(ALL_STAND_ONCE);
  }, 1_800_000);

  test(`after ${FULL_LENGTH_STOPS} stops of up to three minutes, with leases as in production, nothing is lost or doubled either`, async () => {
    const tally = await stopAtRandom(FULL_LENGTH_STOPS, { times: OUTBOX_TIMES, plannedEveryMs: 1_500 });
    expect(reported(`${FULL_LENGTH_STOPS} stops at full length`, tally)).toMatchObject(ALL_STAND_ONCE);
  }, 1_800_000);

  test(`each of ${MESSAGES} messages appears once, although the history shows half of them late`, async () => {
    expect(reported(`${MESSAGES} messages`, await showLate(MESSAGES))).toMatchObject(ALL_STAND_ONCE);
  }, 300_000);
});
