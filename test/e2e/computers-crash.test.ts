import { expect, test } from 'vitest';
import { CREATION_DEATHS, killEachCreation } from '../support/creation-rounds.ts';

test('a bot that is killed at every step of a creation makes at most one computer for a wish, and tells what came of it', async () => {
  const rounds = await killEachCreation('sqlite', CREATION_DEATHS);
  expect(rounds.map(({ ending }) => ending)).toEqual(CREATION_DEATHS.map(() => 'SIGKILL'));
  expect(rounds.map(({ death, computers, cards, notices }) => ({ death, computers, cards, notices }))).toEqual([
    { death: 'wish_stored', computers: 1, cards: 1, notices: 0 },
    // Nothing was sent, which nobody can know: the list is read twice, and the person is asked to try again.
    { death: 'before_create', computers: 0, cards: 0, notices: 1 },
    { death: 'after_create', computers: 1, cards: 1, notices: 0 },
    { death: 'after_create', computers: 1, cards: 1, notices: 0 },
    { death: 'create_settled', computers: 1, cards: 1, notices: 0 },
  ]);
}, 180_000);
