import {
  chmodSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eraseFile } from '../../../src/features/erasure/files.ts';

const MIA = { email: ['mia@acme.example'], slackId: ['U0MIA'], userId: [], name: [] };
const NOW = new Date('2026-03-02T09:00:00Z');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quartermaster-files-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a link in place of the unfinished log is not followed: the target file stays, and the log is a file of its owner', async () => {
  const [log, victim] = [join(folder, 'bot.log'), join(folder, 'victim')];
  writeFileSync(log, '{"person":"U0MIA"}\n{"person":"U0MAX"}\n');
  chmodSync(log, 0o640);
  writeFileSync(victim, 'precious');
  symlinkSync(victim, `${log}.unfinished`);
  expect(await eraseFile(log, {}, { id: 'k7m2', identifiers: MIA }, NOW)).toBe(true);
  expect(readFileSync(victim, 'utf8')).toBe('precious');
  expect(lstatSync(log).isSymbolicLink()).toBe(false);
  expect((statSync(log).mode & 0o777).toString(8)).toBe('600');
  expect(readFileSync(log, 'utf8')).toBe('{"person":"U0ERASEDK7M2"}\n{"person":"U0MAX"}\n');
  expect(readdirSync(folder).toSorted()).toEqual(['bot.log', 'victim']);
});

test('a file behind a link is erased, and a file without the person stays unchanged', async () => {
  const [log, link] = [join(folder, 'bot.log'), join(folder, 'link')];
  writeFileSync(log, 'of mia@acme.example\n');
  symlinkSync(log, link);
  expect(await eraseFile(link, {}, { id: 'k7m2', identifiers: MIA }, NOW)).toBe(true);
  expect(readFileSync(log, 'utf8')).toBe('of erased-k7m2@erased.invalid\n');
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(await eraseFile(link, {}, { id: 'k7m2', identifiers: MIA }, NOW)).toBe(false);
});
