import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readText, ROOT } from './parsing/sources.ts';

const PNG_SIGNATURE = '89504e470d0a1a0a';
/** Slack takes a square of so many pixels. */
const [LEAST, MOST] = [512, 2000];

test.each(['docs/icon.png', 'docs/icon-1024.png'])('%s is an icon that Slack takes: a square PNG', (path) => {
  const bytes = readFileSync(join(ROOT, path));
  expect(bytes.subarray(0, 8).toString('hex')).toBe(PNG_SIGNATURE);
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  expect(width).toBe(height);
  expect(width).toBeGreaterThanOrEqual(LEAST);
  expect(width).toBeLessThanOrEqual(MOST);
});

test('the steps of the installation name the icon', () => {
  expect(readText('README.md')).toContain('docs/icon.png');
  expect(readText('manifest.yml')).toContain('docs/icon.png');
});
