import { describe, expect, test } from 'vitest';
import { decideCorrection } from '../../../src/features/digests/deliver/correct.ts';
import { correctedMark, correctionNote } from '../../../src/features/digests/message/corrections.ts';
import { changedFigures } from '../../../src/features/digests/message/figures.ts';
import type { DigestMemo } from '../../../src/features/digests/core/digest-payload.ts';
import { allowEverybodysAmounts } from '../../../src/core/figures/groups/admission.ts';
import { markup, mrkdwnOf } from '../../../src/core/base/text/markup.ts';

const { amount } = allowEverybodysAmounts();

describe('a figure of a digest', () => {
  test.each([
    ['stays', 1000, 1000, false],
    ['moves by half a percent', 1000, 1005, false],
    ['moves by more than half a percent', 1000, 1006, true],
    ['falls by more than half a percent', 1000, 994, true],
    ['comes from zero', 0, 0.001, true],
    ['falls to zero', 0.001, 0, true],
    ['was negative and moves', -1000, -990, true],
  ])('%s from %d to %d, which is a move: %s', (_what, before, after, isMove) => {
    const moved = changedFigures({ summary: { Credits: amount(before) } }, { summary: { Credits: amount(after) } });
    expect(moved).toEqual(isMove ? [{ name: 'Credits', before, after }] : []);
  });

  test('that only one of two versions has did not move', () => {
    const [one, two] = [amount(1), amount(2)];
    expect(changedFigures({ summary: { Credits: one } }, { summary: { Commits: one }, tools: { Calls: two } })).toEqual(
      [],
    );
  });

  test('that two sections hold is reported once, and separately if the sections disagree', () => {
    const held = (credits: number, calls: number) => ({
      summary: { Credits: amount(credits), Calls: amount(100) },
      credits: { Credits: amount(credits) },
      tools: { Calls: amount(calls) },
    });
    expect(changedFigures(held(1000, 50), held(2000, 60))).toEqual([
      { name: 'Credits', before: 1000, after: 2000 },
      { name: 'Calls', before: 50, after: 60 },
    ]);
  });
});

describe('the correction of a digest', () => {
  const NOW = new Date('2026-03-03T10:00:00Z');
  const memo: DigestMemo = {
    readAt: '2026-03-03T09:00:00.000Z',
    figures: { summary: { Credits: amount(1000) } },
    rankings: {},
    isComplete: true,
    details: [],
    corrections: [],
    isQuiet: false,
  };
  const contents = (credits: number, kind: 'ready' | 'unpublished' = 'ready') => ({
    kind: 'read' as const,
    audience: undefined,
    shows: undefined,
    isForNaming: false,
    isForEverybody: true,
    sections: [
      {
        id: 'summary',
        title: 'Usage',
        readAt: NOW,
        reading: { kind, blocks: [], text: markup``, figures: { Credits: amount(credits) }, isQuiet: false },
      },
    ],
  });

  test('adds up small moves: each new figure is compared with the last published one', () => {
    const first = decideCorrection(memo, contents(1004), NOW);
    expect(first.correction).toBeUndefined();
    expect(first.memo).toMatchObject({ figures: memo.figures, readAt: NOW.toISOString() });
    expect(decideCorrection(first.memo, contents(1008), NOW).correction?.moved).toHaveLength(1);
  });

  test('reports a missing figure that arrived, even if no other figure moved', () => {
    const decided = decideCorrection({ ...memo, isComplete: false, figures: {} }, contents(1000), NOW);
    expect(decided.correction).toMatchObject({ isCompletion: true, moved: [] });
    expect(decided.memo.isComplete).toBe(true);
    expect(decideCorrection(decided.memo, contents(1000), NOW).correction).toBeUndefined();
  });

  test('ignores a figure that is still missing', () => {
    const decided = decideCorrection({ ...memo, isComplete: false, figures: {} }, contents(500, 'unpublished'), NOW);
    expect(decided.correction).toBeUndefined();
  });

  const ranked = (names: string[], credits = 1000) => {
    const { sections, ...rest } = contents(credits);
    return {
      ...rest,
      sections: sections.map((one) => ({
        ...one,
        reading: { ...one.reading, ranking: { title: 'Top people', names } },
      })),
    };
  };
  const saidOrder = { ...memo, rankings: { summary: { title: 'Top people', names: ['mia', 'max'] } } };

  test('reports people who change places, even if every total stays the same', () => {
    const { correction, memo: now } = decideCorrection(saidOrder, ranked(['max', 'mia']), NOW);
    expect(correction).toMatchObject({ moved: [], reordered: [{ title: 'Top people', names: ['max', 'mia'] }] });
    expect(now.rankings).toEqual({ summary: { title: 'Top people', names: ['max', 'mia'] } });
    expect(correction && mrkdwnOf(correctedMark(correction))).toMatch(
      /^✏️ Corrected .*: Top people in a new order \(details in thread\)$/,
    );
    expect(correction && mrkdwnOf(correctionNote(correction, false).text)).toContain(
      'Top people, in the new order: max, mia',
    );
    expect(decideCorrection(now, ranked(['max', 'mia']), NOW).correction).toBeUndefined();
  });

  test('ignores small moves that keep the order, and an order that was never shown', () => {
    expect(decideCorrection(saidOrder, ranked(['mia', 'max'], 1004), NOW).correction).toBeUndefined();
    expect(decideCorrection(memo, ranked(['mia', 'max']), NOW).correction).toBeUndefined();
  });

  test('keeps only the last corrections', () => {
    let kept = memo;
    for (let round = 1; round <= 8; round += 1) kept = decideCorrection(kept, contents(1000 * 2 ** round), NOW).memo;
    expect(kept.corrections).toHaveLength(5);
  });
});
