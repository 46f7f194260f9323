import { expect, test } from 'vitest';
import { DEFECTS } from './defects.ts';
import { readText } from '../parsing/sources.ts';

test.each(DEFECTS)('the defect “$what” has one place in the sources where it can be planted', ({ path, text }) => {
  expect(readText(path).split(text)).toHaveLength(2);
});
