import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addToList, readList, removeNames } from '../../../src/features/erasure/core/list-file.ts';

const LISTED = { id: 'k7m2x', pseudonyms: {}, asked_at: '2026-03-02T09:00:00.000Z' };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quartermaster-list-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a list of an earlier version loses the ids of the requesters, and nothing else', async () => {
  const path = join(folder, 'erasures.ndjson');
  const lines = ['U0ADA', 'operator'].map((by, index) => JSON.stringify({ ...LISTED, id: `e${index}`, asked_by: by }));
  writeFileSync(path, `${lines.join('\n')}\n`);
  await removeNames(path);
  expect(readList(path).map(({ id, asked_by: by }) => [id, by])).toEqual([
    ['e0', 'admin'],
    ['e1', 'operator'],
  ]);
  expect((statSync(path).mode & 0o777).toString(8)).toBe('600');
  const cleaned = readFileSync(path, 'utf8');
  await removeNames(path);
  addToList(path, { ...LISTED, asked_by: 'admin' });
  expect(readFileSync(path, 'utf8').startsWith(cleaned)).toBe(true);
  expect(readList(path)).toHaveLength(3);
});
