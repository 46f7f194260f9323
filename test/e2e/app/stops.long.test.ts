import { expect, test } from 'vitest';
import { availableEngines } from '../../support/stores/databases.ts';
import { stopAtRandom } from '../../support/outbox/outbox-rounds.ts';

test.runIf(availableEngines().includes('postgres'))(
  'processes that are stopped and continued leave each message in its channel exactly once',
  async () => {
    expect(await stopAtRandom(8)).toMatchObject({ lost: [], doubled: [], unsettled: [] });
  },
  120_000,
);
