import { describe, expect, test } from 'vitest';
import { sufferMornings } from '../support/stores/store-rounds.ts';
import { storeDisturbances } from '../support/stores/store-disturbances.ts';

const MORNINGS = Number(process.env['TROUBLED_MORNINGS'] ?? 6);
const CHANNELS = 3;

// The bots mostly wait, so some of them run side by side.
describe.concurrent(`on ${MORNINGS} mornings`, () => {
  test.each(storeDisturbances())(
    'a store %s while digests fall due loses no digest, doubles none and leaves no command unanswered',
    async (what, make) => {
      const tally = await sufferMornings(MORNINGS, await make());
      process.stdout.write(`a store ${what}: ${JSON.stringify(tally)}\n`);
      expect(tally).toMatchObject({ digests: MORNINGS * CHANNELS, lost: [], doubled: [], unanswered: 0 });
    },
    900_000,
  );
});
