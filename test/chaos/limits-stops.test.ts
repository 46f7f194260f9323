import { describe, expect, test } from 'vitest';
import { stopWhileLimitsAreSet } from './limits-stops.ts';
import { availableEngines } from '../support/stores/databases.ts';

const STOPS = Number(process.env['LIMIT_STOPS'] ?? 20);

describe.runIf(availableEngines().includes('postgres'))('of two replicas that are stopped and continued', () => {
  test(`after ${STOPS} stops at random instants each limit is set as approved, and its requester is notified once`, async () => {
    const tally = await stopWhileLimitsAreSet(STOPS);
    process.stdout.write(`${STOPS} stops while limits are set: ${JSON.stringify(tally)}\n`);
    expect(tally).toMatchObject({ lost: [], doubled: [], wrongPuts: [], unanswered: [] });
  }, 1_800_000);
});
