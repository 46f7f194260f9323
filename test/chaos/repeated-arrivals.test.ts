import { describe, expect, test } from 'vitest';
import { createRandom } from '../../src/sandbox/platform/model/random.ts';
import { repeatArrivals } from './repeated-arrivals.ts';
import { availableEngines } from '../support/stores/databases.ts';

const ROUNDS = Number(process.env['REPEATED_ARRIVALS'] ?? 200);
const SEED = Number(process.env['REPEATED_SEED'] ?? Math.floor(Math.random() * 1e9));

describe.runIf(availableEngines().includes('postgres')).each(['socket', 'http'] as const)(
  'two replicas that both get a request of Slack over %s',
  (transport) => {
    test.each(['click', 'form', 'command', 'opening'] as const)(
      `carry out each %s of ${ROUNDS} once and answer it once, or say that it was not saved, whichever connection is cut`,
      async (act) => {
        const tally = await repeatArrivals(act, transport, ROUNDS, createRandom(SEED));
        process.stdout.write(
          `repeated arrivals, ${act} over ${transport}, REPEATED_SEED=${SEED}: ${JSON.stringify(tally)}\n`,
        );
        expect(tally).toMatchObject({ lost: [], doubled: [], wrong: [] });
      },
      900_000,
    );
  },
);
