import { expect, test } from 'vitest';
import { surviveBlackHole } from '../../support/stores/black-hole.ts';
import { availableEngines } from '../../support/stores/databases.ts';

test.runIf(availableEngines().includes('postgres')).each(['existing', 'all'] as const)(
  'a network that swallows %s connections to Postgres for a moment loses no digest and no answer, and causes no restart',
  async (which) => {
    const { recoveredMs } = await surviveBlackHole(which, 1_000);
    expect(recoveredMs).toBeLessThan(60_000);
  },
  90_000,
);
