import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildDigest, type DigestView } from '../../../src/features/digests/message/digest-message.ts';
import { correctionNote } from '../../../src/features/digests/message/corrections.ts';
import type { SectionRead } from '../../../src/features/digests/core/sections.ts';
import type { SectionReading } from '../../../src/core/feature.ts';
import { checkBlocks } from '../../../src/core/slack/blocks/rules/index.ts';
import { chart, dataTable, section, type Block } from '../../../src/core/slack/blocks/blocks.ts';
import { allowEverybodysAmounts } from '../../../src/core/figures/groups/admission.ts';
import { markup, mrkdwnOf } from '../../../src/core/base/text/markup.ts';
import { propertyRuns } from '../../support/property-runs.ts';
import { anyCharacter } from '../../support/any-character.ts';

const NOW = new Date('2026-03-02T09:00:00Z');
const anything = fc.string({ unit: anyCharacter, maxLength: 600 });

const block = fc.oneof(
  { weight: 6, arbitrary: anything.map((text): Block => section(markup`${text}`)) },
  {
    weight: 2,
    arbitrary: fc.constant(
      chart({ kind: 'bar', title: 'Credits', categories: ['Mon'], series: [{ name: 'Credits', values: [1] }] }),
    ),
  },
  {
    weight: 2,
    arbitrary: fc
      .integer({ min: 1, max: 200 })
      .map((rows): Block =>
        dataTable({ caption: 'Credits', columns: ['Day'], rows: Array.from({ length: rows }, () => ['x'.repeat(90)]) }),
      ),
  },
);
const reading: fc.Arbitrary<SectionReading> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom('ready' as const, 'unpublished' as const),
      blocks: fc.array(block, { maxLength: 45 }),
      text: anything.map((said) => markup`${said}`),
      point: anything,
      figures: fc.constant({}),
      isQuiet: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('unreadable' as const),
      sentence: anything,
      reference: fc.constant('0a1b2c3d'),
    }),
  },
);
const sections = fc
  .array(reading, { minLength: 1, maxLength: 10 })
  .map((readings) =>
    readings.map((one, index): SectionRead => ({ id: `s${index}`, title: `Part ${index}`, reading: one, readAt: NOW })),
  );
const { amount } = allowEverybodysAmounts();
const figure = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => amount(value));
const moved = fc.array(fc.record({ name: anything, before: figure, after: figure }), {
  maxLength: 40,
});

const reordered = fc.array(fc.record({ title: anything, names: fc.array(anything, { maxLength: 6 }) }), {
  maxLength: 2,
});

const viewOf = (read: readonly SectionRead[], more: Partial<DigestView> = {}): DigestView => ({
  cadence: 'daily',
  period: { first: '2026-03-01', last: '2026-03-01' },
  sections: read,
  audience: undefined,
  dueAt: NOW,
  sentAt: NOW,
  waitedFor: undefined,
  corrections: [],
  quietButtonValue: undefined,
  ...more,
});
const typesOf = (blocks: readonly Block[]) => blocks.map(({ type }) => type);

describe('a digest', () => {
  test('is accepted by Slack, with its buttons and at most two charts, whatever its sections hold', () => {
    fc.assert(
      fc.property(sections, anything, moved, reordered, fc.boolean(), (read, text, figures, orders, isLate) => {
        const corrections = [{ at: NOW.toISOString(), moved: figures, reordered: orders, isCompletion: isLate }];
        const sentAt = isLate ? new Date('2026-03-02T15:00:00Z') : NOW;
        const { message } = buildDigest(viewOf(read, { audience: text, corrections, sentAt, waitedFor: text }));
        expect(checkBlocks(message.blocks, 'message')).toEqual([]);
        expect(typesOf(message.blocks).filter((type) => type === 'data_visualization').length).toBeLessThanOrEqual(2);
        expect(typesOf(message.blocks).at(-1)).toBe('actions');
      }),
      { numRuns: propertyRuns(60) },
    );
  });

  test('loses no section: those that do not fit are named, and follow in the thread', () => {
    fc.assert(
      fc.property(sections, (read) => {
        const { message, movedToThread: inThread, details } = buildDigest(viewOf(read));
        const named = inThread.filter((id) => {
          const title = read.find((one) => one.id === id)?.title ?? '';
          return JSON.stringify(message.blocks).includes(`*${title}* is in the thread.`);
        });
        expect(named).toEqual(inThread);
        expect(details).toEqual(expect.arrayContaining(inThread));
      }),
      { numRuns: propertyRuns(40) },
    );
  });

  test('on a quiet day is one line, with a button that shows all of it', () => {
    const quiet: SectionReading = {
      kind: 'ready',
      point: 'Sun 1 Mar: 12 Standard Credits.',
      blocks: [],
      text: markup``,
      figures: {},
      isQuiet: true,
    };
    const read = [{ id: 'summary', title: 'Usage', reading: quiet, readAt: NOW }];
    const { message, details } = buildDigest(viewOf(read, { quietButtonValue: 'digest:k7m2:2026-03-02' }));
    expect(typesOf(message.blocks)).toEqual(['section', 'context', 'actions']);
    expect(mrkdwnOf(message.text)).toBe(
      'Daily digest, Sun 1 Mar (UTC)\nSun 1 Mar: 12 Standard Credits.\nA normal Sunday.',
    );
    expect(details).toEqual([]);
  });

  test('has the title of its cadence', () => {
    const titleOf = (more: Partial<DigestView>) => mrkdwnOf(buildDigest(viewOf([], more)).message.text).split('\n')[0];
    const week = { first: '2026-02-23', last: '2026-03-01' };
    expect(titleOf({ cadence: 'weekdays' })).toBe('Daily digest, Sun 1 Mar (UTC)');
    expect(titleOf({ cadence: 'weekly', period: week })).toBe('Weekly digest, 23 Feb – 1 Mar (UTC)');
    const month = { first: '2026-02-01', last: '2026-02-28' };
    expect(titleOf({ cadence: 'monthly', period: month })).toBe('Monthly digest, February (UTC)');
  });

  test('that is corrected posts a message to its thread that Slack accepts', () => {
    fc.assert(
      fc.property(moved, reordered, fc.boolean(), (figures, orders, isCompletion) => {
        const note = correctionNote(
          { at: NOW.toISOString(), moved: figures, reordered: orders, isCompletion },
          !isCompletion,
        );
        expect(checkBlocks(note.blocks, 'message')).toEqual([]);
      }),
    );
  });
});
