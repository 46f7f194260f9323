import { expect, test } from 'vitest';
import { CREATION_DEATHS, killEachCreation } from '../support/creation-rounds.ts';
import { availableEngines } from '../support/stores/databases.ts';

const ROUNDS = 50;

test.each(availableEngines())(
  `${ROUNDS} orders of a computer on %s, each submitted twice and interrupted by a kill at each step, create one computer each`,
  async (engine) => {
    const deaths = Array.from({ length: ROUNDS }, (_, round) => CREATION_DEATHS[round % CREATION_DEATHS.length]).filter(
      (death) => death !== undefined,
    );
    const rounds = await killEachCreation(engine, deaths);
    expect(rounds).toHaveLength(ROUNDS);
    expect(rounds.every(({ ending }) => ending === 'died')).toBe(true);
    // The person learns that an order failed if its request never left; every other order is one computer with one
    // card.
    const expected = deaths.map(({ at }) =>
      at === 'computers:before_create'
        ? { computers: 0, cards: 0, notices: 1 }
        : { computers: 1, cards: 1, notices: 0 },
    );
    expect(rounds.map(({ computers, cards, notices }) => ({ computers, cards, notices }))).toEqual(expected);
  },
  900_000,
);
