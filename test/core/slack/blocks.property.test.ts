import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkBlocks, countMessageCharacters } from '../../../src/core/slack/blocks/rules/index.ts';
import {
  actions,
  button,
  chart,
  context,
  dataTable,
  divider,
  fields,
  header,
  message,
  section,
  type Block,
} from '../../../src/core/slack/blocks/blocks.ts';
import { markup } from '../../../src/core/base/text/markup.ts';
import { propertyRuns } from '../../support/property-runs.ts';
import { anyCharacter } from '../../support/any-character.ts';

const text = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 100 }),
  fc.string({ maxLength: 4_000 }),
  fc.constantFrom('', ' ', '&', '<'.repeat(3_000), '&'.repeat(3_000), '<!channel>', '𝒳'.repeat(200)),
);
const mrkdwn = text.map((value) => markup`${value}`);
const points = fc.integer({ min: 1, max: 20 });

const blocks: fc.Arbitrary<Block> = fc.oneof(
  text.map(header),
  mrkdwn.map((value) => section(value)),
  fc.array(mrkdwn, { minLength: 1, maxLength: 15 }).map(fields),
  fc.array(mrkdwn, { minLength: 1, maxLength: 15 }).map((values) => context(...values)),
  fc.constant(divider()),
  fc
    .array(text, { minLength: 1, maxLength: 30 })
    .map((values) =>
      actions(...values.map((value) => button({ text: value, actionId: 'test_action', value: value.slice(0, 2_000) }))),
    ),
  fc
    .tuple(
      text,
      fc.array(
        fc.array(
          fc.oneof(
            text,
            fc.integer().map((value) => ({ value, text: String(value) })),
          ),
          { minLength: 3, maxLength: 3 },
        ),
        { maxLength: 250 },
      ),
    )
    .map(([caption, rows]) => dataTable({ caption, columns: ['One', 'Two', 'Three'], rows })),
  points.chain((count) =>
    fc
      .tuple(
        text,
        fc.array(text, { minLength: count, maxLength: count }),
        fc.array(fc.record({ name: text, values: fc.array(fc.integer(), { minLength: count, maxLength: count }) }), {
          minLength: 1,
          maxLength: 6,
        }),
      )
      .map(([title, categories, series]) => chart({ kind: 'line', title, categories, series })),
  ),
);

/** The limit of these blocks in one message is a matter of the feature, not of the builder of one block. */
const isOncePerMessage = (block: Block) => ['data_table', 'data_visualization'].includes(block.type);

describe('blocks of any content that Slack accepts', () => {
  test('each block keeps Slack’s limits', () => {
    fc.assert(
      fc.property(blocks, (block) => {
        expect(checkBlocks([block], 'message')).toEqual([]);
      }),
      { numRuns: propertyRuns(400) },
    );
  });

  test('a message keeps the limits of the whole, and mentions the parts that did not fit', () => {
    fc.assert(
      fc.property(fc.array(blocks, { maxLength: 70 }), (many) => {
        const kept = many.filter((block) => !isOncePerMessage(block));
        const made = message(markup`text`, kept);
        expect(checkBlocks(made.blocks, 'message')).toEqual([]);
        expect(countMessageCharacters(made.blocks)).toBeLessThan(13_200);
        const isCut = JSON.stringify(made.blocks) !== JSON.stringify(kept);
        expect(JSON.stringify(made.blocks).includes('did not fit into this message')).toBe(isCut);
      }),
      { numRuns: propertyRuns(100) },
    );
  });

  test('a value that would be cut, and would so name another thing, is refused', () => {
    expect(() => button({ text: 'x', actionId: 'a', value: 'x'.repeat(2_001) })).toThrow(RangeError);
  });

  test('labels that are cut stay distinct', () => {
    const long = 'the same long label ';
    const made = chart({
      kind: 'bar',
      title: 't',
      categories: [`${long}1`, `${long}2`],
      series: [{ name: 's', values: [1, 2] }],
    });
    expect(checkBlocks([made], 'message')).toEqual([]);
    expect(JSON.stringify(made)).toContain('the same long lab… 2');
  });
});

test('Slack makes no link of an address in a text by another author', () => {
  const said = markup`${'see evil.example.com and #general'}`;
  for (const block of [section(said), fields([said]), context(said)])
    expect(JSON.stringify(block)).toContain('"verbatim":true');
});
