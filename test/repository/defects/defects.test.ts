import { expect, test } from 'vitest';
import { DEFECTS } from './defects.ts';
import { readText } from '../parsing/sources.ts';

test.each(DEFECTS)('the defect “$what” can be planted in exactly one place of the sources', ({ path, text }) => {
  expect(readText(path).split(text)).toHaveLength(2);
});
