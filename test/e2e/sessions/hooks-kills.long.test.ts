import { expect, inject, test } from 'vitest';
import { HOOK_DEATHS, killBetweenEventAndCard } from './hook-kills.ts';

test.each(inject('engines'))(
  'on %s, a bot that is killed after it accepted an event leaves one card with the actual state',
  async (engine) => {
    const rounds = await killBetweenEventAndCard(engine, HOOK_DEATHS);
    expect(rounds).toEqual(HOOK_DEATHS.map(({ at }) => ({ at, ending: 'died', cards: 1 })));
  },
  180_000,
);
