import { describe, expect, test } from 'vitest';
import { rescueOf, type FollowFacts } from '../../../src/features/computers/card/lost-cards.ts';

const AT = '2026-03-02T09:00:00.000Z';
const after = (minutes: number) => new Date(Date.parse(AT) + minutes * 60_000);
const outline = (state: FollowFacts['cards'][number]['state'], at = AT) => ({ state, createdAt: at });
const facts: FollowFacts = { cards: [outline('failed')], edit: undefined, hasLastResortCard: false, updatedAt: AT };

describe('the card of an order', () => {
  test.each(['waiting', 'claimed', 'posting', 'unknown'] as const)(
    'is not replaced while a card or its current edit is %s',
    (state) => {
      expect(rescueOf({ ...facts, cards: [outline('failed'), outline(state)] })).toBeUndefined();
      expect(rescueOf({ ...facts, cards: [outline('sent')], edit: outline(state) })).toBeUndefined();
    },
  );

  test('is replaced by a direct card two minutes after the last message, if none is on its way', () => {
    expect(rescueOf(facts)).toEqual({ kind: 'card', dueAt: after(2) });
    const edit = outline('failed', after(10).toISOString());
    expect(rescueOf({ ...facts, cards: [outline('sent')], edit })).toEqual({ kind: 'card', dueAt: after(12) });
    expect(rescueOf({ ...facts, cards: [] })).toEqual({ kind: 'card', dueAt: after(2) });
  });

  test('is given up if the direct card of this round was lost too', () => {
    expect(rescueOf({ ...facts, hasLastResortCard: true })).toEqual({ kind: 'end', dueAt: after(2) });
  });
});
