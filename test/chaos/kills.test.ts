import { describe, expect, test } from 'vitest';
import { availableEngines } from '../support/stores/databases.ts';
import { DEATHS, killEachMorning } from '../support/outbox/kill-rounds.ts';

const ROUNDS = Number(process.env['KILL_ROUNDS'] ?? 5);
const deaths = Array.from({ length: ROUNDS }, () => DEATHS).flat();

describe.each(availableEngines())('on %s', (engine) => {
  test(`after ${deaths.length} kills at the steps of a delivery each digest appears in the channel exactly once`, async () => {
    const { expected, endings, digests } = await killEachMorning(engine, deaths);
    expect(endings).toEqual(deaths.map(() => 'died'));
    expect([...digests.keys()].toSorted()).toEqual(expected);
    expect([...digests.values()].map((messages) => messages.length)).toEqual(expected.map(() => 1));
  });
});
