import { createHash } from 'node:crypto';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { z } from 'zod';

const FILES = join(import.meta.dirname, '../../../src/features/exports/files.ts');
const KILLS = process.env['NIGHTLY'] === 'true' ? 15 : 3;
const DAYS = 28;
const ROWS = 2_000;

/** Writes the days of a month with some content, as a night does, and prints each day: an existing equal file stays. */
const program = (folder: string, content: string) => `
  import { newestManifests, removeUnfinished, writeDay } from ${JSON.stringify(FILES)};
  const directory = ${JSON.stringify(folder)};
  removeUnfinished(directory, 'users');
  const newest = newestManifests(directory, 'users');
  for (let number = 1; number <= ${DAYS}; number += 1) {
    const day = '2026-02-' + String(number).padStart(2, '0');
    const rows = Array.from({ length: ${ROWS} }, (_, row) => ({ day, row, content: ${JSON.stringify(content)} }));
    await writeDay(directory, { resource: 'users', day }, newest.get(day), {
      rows, dayState: 'fresh', readAt: new Date('2026-03-01T04:00:00Z'), people: 'by e-mail',
    });
    console.log(day);
  }`;

function run(folder: string, content: string) {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program(folder, content)], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return { child, ended: new Promise<number | null>((resolve) => child.once('exit', resolve)) };
}

/** Kills the program while it writes the day after the given number of days; false if it ended before. */
async function isKilledAfter(days: number, { child, ended }: ReturnType<typeof run>): Promise<boolean> {
  let written = 0;
  createInterface(child.stdout).on('line', () => {
    written += 1;
    if (written === days) child.kill('SIGKILL');
  });
  return (await ended) === null;
}

const manifestSchema = z.object({
  file: z.string(),
  sha256: z.string(),
  rows: z.number(),
  day: z.string(),
  version: z.number(),
});

function manifestsIn(folder: string) {
  const users = join(folder, 'users');
  if (!existsSync(users)) return [];
  return readdirSync(users)
    .filter((name) => name.endsWith('.manifest.json'))
    .map((name) => manifestSchema.parse(JSON.parse(readFileSync(join(users, name), 'utf8'))));
}

/** The files that differ from their manifests. */
const wrongOnes = (folder: string) =>
  manifestsIn(folder).filter(({ file, sha256, rows }) => {
    const bytes = readFileSync(join(folder, 'users', file));
    const lines = gunzipSync(bytes).toString('utf8').trim().split('\n');
    return createHash('sha256').update(bytes).digest('hex') !== sha256 || lines.length !== rows;
  });

test('an export that is killed at any moment leaves no file that differs from its manifest, and the next one finishes it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'quartermaster-exports-'));
  try {
    let killed = 0;
    for (let round = 0; round < KILLS; round += 1) {
      // Each round has other content, so that there are versions to write.
      if (await isKilledAfter(Math.ceil(((round + 1) * 15) / KILLS), run(folder, `round ${round}`))) killed += 1;
      expect(wrongOnes(folder)).toEqual([]);
    }
    expect(killed).toBeGreaterThan(0);
    expect(await run(folder, 'last').ended).toBe(0);
    expect(wrongOnes(folder)).toEqual([]);
    const newest = new Map(
      manifestsIn(folder)
        .toSorted((a, b) => a.version - b.version)
        .map((each) => [each.day, each]),
    );
    expect(newest.size).toBe(DAYS);
    const texts = [...newest.values()].map(({ file }) =>
      gunzipSync(readFileSync(join(folder, 'users', file))).toString('utf8'),
    );
    expect(texts.every((text) => text.includes('"content":"last"'))).toBe(true);
    expect(readdirSync(join(folder, 'users')).filter((name) => name.endsWith('.unfinished'))).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
