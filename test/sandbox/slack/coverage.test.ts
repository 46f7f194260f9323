import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { DRAWN_BLOCKS } from '../../../src/sandbox/page/browser/blocks/drawn-blocks.ts';
import { createMethods } from '../../../src/sandbox/slack/api/index.ts';
import { coverage } from '../../../src/sandbox/slack/coverage.ts';
import { statefulElements } from '../../../src/sandbox/slack/people/form.ts';
import { blockSurfaces } from '../../../src/slack/blocks/rules/index.ts';

const root = new URL('../../../', import.meta.url).pathname;
const tests = globSync('test/{sandbox/slack,slack/block-rules}/*.test.ts', { cwd: root })
  .map((path) => readFileSync(`${root}${path}`, 'utf8'))
  .join('\n');
const named = (area: string) => coverage.filter((row) => row.area === area).map(({ name }) => name);

describe('the table of what the sandbox covers', () => {
  test('has every method that is registered, and no other', () => {
    expect(named('method').toSorted()).toEqual(Object.keys(createMethods(undefined)).toSorted());
  });

  test('has every block that the rules know, and no other', () => {
    expect(named('block').toSorted()).toEqual(Object.keys(blockSurfaces).toSorted());
  });

  test('has the blocks that the page draws, and no other', () => {
    expect(DRAWN_BLOCKS.toSorted()).toEqual(Object.keys(blockSurfaces).toSorted());
  });

  test('has every element that keeps a value, the button, and no other', () => {
    expect(named('element').toSorted()).toEqual(['button', ...statefulElements].toSorted());
  });

  test.each(coverage.filter(({ support }) => support !== 'not'))('names a test for $area $name', ({ test }) => {
    expect(tests).toContain(`'${test}'`);
  });

  test.each(coverage.filter(({ support }) => support !== 'supported'))('says what $area $name lacks', ({ note }) => {
    expect(note).not.toBe('');
  });
});
