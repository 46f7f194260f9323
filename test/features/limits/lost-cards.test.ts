import { describe, expect, test } from 'vitest';
import { nextRound, type CardAttempt } from '../../../src/features/limits/card/lost-cards.ts';
import { resendAt } from '../../../src/features/limits/question/failed-questions.ts';

const ASKED = '2026-03-02T09:00:00.000Z';
const after = (minutes: number) => new Date(Date.parse(ASKED) + minutes * 60_000);
const attempt = (state: CardAttempt['state'], besides: Partial<CardAttempt> = {}): CardAttempt => ({
  shows: 'card',
  state,
  round: 0,
  createdAt: ASKED,
  ...besides,
});

describe('a new card of a request', () => {
  test.each(['sent', 'waiting', 'claimed', 'posting', 'unknown'] as const)('is not posted while one is %s', (state) => {
    expect(nextRound([attempt('failed'), attempt(state)], ASKED)).toBeUndefined();
  });

  test('is not posted while its copies are being created', () => {
    expect(nextRound([attempt('failed'), attempt('waiting', { shows: 'copies' })], ASKED)).toBeUndefined();
  });

  test.each(['failed', 'skipped'] as const)('is posted two minutes after the last one, if that is %s', (state) => {
    expect(nextRound([attempt(state)], ASKED)).toEqual({ round: 1, dueAt: after(2) });
    const copy = attempt(state, { createdAt: after(3).toISOString() });
    expect(nextRound([attempt('failed'), attempt('skipped', { shows: 'copies' }), copy], ASKED)).toEqual({
      round: 1,
      dueAt: after(5),
    });
  });

  test('also if the only admins who have one have left', () => {
    const gone = attempt('sent', { hasLostReader: true });
    expect(nextRound([gone], ASKED)).toEqual({ round: 1, dueAt: after(2) });
    expect(nextRound([gone, attempt('sent')], ASKED)).toBeUndefined();
  });

  test('is posted even if there never was one', () => {
    expect(nextRound([], ASKED)).toEqual({ round: 1, dueAt: after(2) });
  });

  test('is posted with pauses that grow to half an hour', () => {
    const pauses = Array.from({ length: 7 }, (_, round) => {
      const next = nextRound([attempt('failed', { round })], ASKED);
      return next && [next.round, (next.dueAt.getTime() - Date.parse(ASKED)) / 60_000];
    });
    expect(pauses).toEqual([
      [1, 2],
      [2, 4],
      [3, 8],
      [4, 16],
      [5, 30],
      [6, 30],
      [7, 30],
    ]);
  });
});

describe('the message of a question', () => {
  const failed = { state: 'failed', createdAt: ASKED, unreadableSince: null } as const;

  test('is sent once more, five minutes later, if it failed', () => {
    expect(resendAt([failed])).toEqual(after(5));
  });

  test('is not sent once more if it arrived, is on its way or was refused because of its reader', () => {
    for (const state of ['sent', 'waiting', 'unknown', 'skipped'] as const)
      expect(resendAt([{ ...failed, state }])).toBeUndefined();
  });

  test('is not sent once more if it may have arrived, nor a second time', () => {
    expect(resendAt([{ ...failed, unreadableSince: ASKED }])).toBeUndefined();
    expect(resendAt([failed, failed])).toBeUndefined();
  });
});
