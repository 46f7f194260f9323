import { expect, test } from 'vitest';
import { hasGoneBack } from '../../../src/features/controls/poll/poll-once.ts';

const SINCE = '2026-03-02T09:00:00.000Z';
const after = (ms: number) => new Date(Date.parse(SINCE) + ms);

test('a history that ends earlier is believed after two readings that are five minutes apart, not before', () => {
  const seen = { wentBackTo: 11, wentBackAt: SINCE };
  expect(hasGoneBack({ wentBackTo: null, wentBackAt: null }, 11, after(0))).toBe(false);
  expect(hasGoneBack(seen, 11, after(5 * 60_000 - 1))).toBe(false);
  expect(hasGoneBack(seen, 11, after(5 * 60_000))).toBe(true);
  expect(hasGoneBack(seen, 10, after(60 * 60_000))).toBe(false);
});
