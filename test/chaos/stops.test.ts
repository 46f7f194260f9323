import { expect, test } from 'vitest';
import { availableEngines } from '../support/databases.ts';
import { showLate, stopAtRandom } from '../support/outbox-rounds.ts';

const STOPS = Number(process.env['STOPS'] ?? 1_000);
const MESSAGES = 300;
const hasPostgres = availableEngines().includes('postgres');

test.runIf(hasPostgres)(
  `after ${STOPS} stops at random instants over two replicas nothing is lost and nothing stands twice`,
  async () => {
    const { deleted, ...tally } = await stopAtRandom(STOPS);
    process.stdout.write(`${STOPS} stops: ${JSON.stringify(tally)}, ${deleted} second messages deleted\n`);
    expect(tally).toMatchObject({ lost: [], doubled: [] });
  },
  1_800_000,
);

test.runIf(hasPostgres)(
  `of ${MESSAGES} messages, half of which the history shows late, each stands once`,
  async () => {
    expect(await showLate(MESSAGES)).toMatchObject({ lost: [], doubled: [] });
  },
  300_000,
);
