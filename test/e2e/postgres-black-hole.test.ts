import { test } from 'vitest';
import { surviveBlackHole } from '../support/black-hole.ts';
import { availableEngines } from '../support/databases.ts';

test.runIf(availableEngines().includes('postgres')).each(['existing', 'all'] as const)(
  'a network that swallows %s connections to Postgres for a moment costs no digest, no answer and no restart',
  async (which) => {
    await surviveBlackHole(which, 1_000);
  },
  90_000,
);
