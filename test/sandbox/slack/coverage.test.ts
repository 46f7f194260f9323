import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { DRAWN_BLOCKS } from '../../../src/sandbox/page/browser/blocks/drawn-blocks.ts';
import { createMethods } from '../../../src/sandbox/slack/api/index.ts';
import { coverage } from '../../../src/sandbox/slack/coverage.ts';
import { statefulElements } from '../../../src/sandbox/slack/people/form.ts';
import { blocks } from '../../../src/sandbox/slack/reference/blocks.ts';

const root = new URL('../../../', import.meta.url).pathname;
const tests = globSync('test/sandbox/slack/*.test.ts', { cwd: root })
  .map((path) => readFileSync(`${root}${path}`, 'utf8'))
  .join('\n');
const named = (area: string) => coverage.filter((row) => row.area === area).map(({ name }) => name);

describe('the table of what the sandbox covers', () => {
  test('has exactly the registered methods', () => {
    expect(named('method').toSorted()).toEqual(Object.keys(createMethods(undefined)).toSorted());
  });

  test('has exactly the blocks of the reference', () => {
    expect(named('block').toSorted()).toEqual(Object.keys(blocks).toSorted());
  });

  test('supports exactly the blocks that the page draws', () => {
    const drawn = coverage.filter(({ area, support }) => area === 'block' && support === 'supported');
    expect(drawn.map(({ name }) => name).toSorted()).toEqual(DRAWN_BLOCKS.toSorted());
  });

  test('has exactly the elements that keep a value, and the button', () => {
    expect(named('element').toSorted()).toEqual(['button', ...statefulElements].toSorted());
  });

  test.each(coverage.filter(({ support }) => support !== 'not'))('names a test for $area $name', ({ test }) => {
    expect(tests).toContain(`'${test}'`);
  });

  test.each(coverage.filter(({ support }) => support !== 'supported'))(
    'explains what $area $name lacks',
    ({ note }) => {
      expect(note).not.toBe('');
    },
  );
});
