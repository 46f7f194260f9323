import { describe, expect, test } from 'vitest';
import { availableEngines } from '../../support/stores/databases.ts';
import { CREATION_DEATHS, killEachCreation, restoreAmidCreation } from '../../support/creation-rounds.ts';

test('a bot that is killed at every step of a creation creates at most one computer for an order, and reports the outcome', async () => {
  const rounds = await killEachCreation('sqlite', CREATION_DEATHS);
  expect(rounds.map(({ ending }) => ending)).toEqual(CREATION_DEATHS.map(() => 'died'));
  expect(rounds.map(({ death, computers, cards, notices }) => ({ death, computers, cards, notices }))).toEqual([
    { death: 'computers:order_stored', computers: 1, cards: 1, notices: 0 },
    // Nothing was sent, which the bot cannot know: it reads the list twice, and asks the person to try again.
    { death: 'computers:before_create', computers: 0, cards: 0, notices: 1 },
    { death: 'computers:after_create', computers: 1, cards: 1, notices: 0 },
    { death: 'computers:after_create', computers: 1, cards: 1, notices: 0 },
    { death: 'computers:create_settled', computers: 1, cards: 1, notices: 0 },
  ]);
}, 180_000);

describe.each(availableEngines())('a backup from the middle of a creation, restored after its end on %s,', (engine) => {
  test('creates no duplicate: the computer is found in the list, and its card is not posted again', async () => {
    expect(await restoreAmidCreation(engine, 'computers:after_create')).toEqual({
      computers: 1,
      messages: { card: 1 },
    });
  }, 120_000);

  test('creates no duplicate: if nothing had been sent, the person is asked whether they want another', async () => {
    const expected = { computers: 1, messages: { card: 1, 'notice:asked': 1 } };
    expect(await restoreAmidCreation(engine, 'computers:order_stored')).toEqual(expected);
  }, 120_000);
});
