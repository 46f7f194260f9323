import { expect, test } from 'vitest';
import { DEATHS, killEachMorning } from '../../support/outbox/kill-rounds.ts';

test('a bot that is killed at every step of a delivery leaves each digest in the channel exactly once', async () => {
  const { expected, endings, digests } = await killEachMorning('sqlite', DEATHS);
  expect(endings).toEqual(DEATHS.map(() => 'died'));
  expect([...digests.keys()].toSorted()).toEqual(expected);
  expect([...digests.values()].map((messages) => messages.length)).toEqual(expected.map(() => 1));
}, 180_000);
