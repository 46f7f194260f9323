import { describe, expect, test } from 'vitest';
import { shareOf } from '../../support/property-runs.ts';
import { sufferMornings } from '../../support/stores/store-rounds.ts';
import { storeDisturbances } from '../../support/stores/store-disturbances.ts';

describe.concurrent('on one morning', () => {
  test.each(shareOf(storeDisturbances()))(
    'a store %s while digests fall due loses no digest, doubles none and leaves no command unanswered',
    async (_what, make) => {
      const tally = await sufferMornings(1, await make());
      expect(tally).toMatchObject({ digests: 3, lost: [], doubled: [], unanswered: 0 });
    },
    120_000,
  );
});
