/**
 * `npm run defects`: plants one mistake at a time in a copy of the sources, and checks whether the daily tests or the
 * slow conversations detect it.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import type { JsonTestResults } from 'vitest/node';
import { DEFECTS, type Defect } from './defects.ts';
import { ROOT } from '../parsing/sources.ts';

const LEFT_OUT = new Set(['.git', 'node_modules', 'dist', 'data']);
/** Longer than the daily tests take on a busy machine. */
const PATIENCE_MS = 15 * 60_000;

function copySources(): string {
  const folder = mkdtempSync(join(tmpdir(), 'quartermaster-defects-'));
  // Some tests start the bot as a user who is not root.
  chmodSync(folder, 0o755);
  cpSync(ROOT, folder, { recursive: true, filter: (path) => path === ROOT || !LEFT_OUT.has(basename(path)) });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  // It searches for the very texts that are replaced here.
  rmSync(join(folder, 'test/repository/defects/defects.test.ts'));
  return folder;
}

const DAILY = ['test', '--'];
const SLOW = ['run', 'test:long', '--', '--project', 'slow tests of the app on SQLite'];

/** @returns the first failure, or nothing */
function runTests(folder: string, suite: readonly string[], files: readonly string[] = []) {
  const report = join(folder, 'report.json');
  rmSync(report, { force: true });
  const reporting = ['--reporter=json', `--outputFile.json=${report}`];
  const { status } = spawnSync('npm', [...suite, '--bail', '1', ...reporting, ...files], {
    cwd: folder,
    env: { ...process.env, NIGHTLY: 'true' },
    stdio: 'ignore',
    timeout: PATIENCE_MS,
  });
  if (!existsSync(report)) throw new Error(`The tests left no report; they ended with ${String(status)}`);
  const { testResults }: JsonTestResults = JSON.parse(readFileSync(report, 'utf8'));
  const failed = testResults.find((one) => one.status === 'failed');
  if (!failed && status !== 0) throw new Error(`No test failed, and yet it ended with ${String(status)}`);
  const test = failed?.assertionResults.find((one) => one.status === 'failed')?.fullName ?? 'could not be loaded';
  return failed && { file: relative(folder, failed.name), test };
}

/** A busy machine may fail a test without the defect: the test has to fail again by itself, or another one has to. */
const MOST_RUNS = 3;

function findDefect(folder: string, suite: readonly string[]) {
  for (let runs = 0; runs < MOST_RUNS; runs += 1) {
    const failure = runTests(folder, suite);
    const again = failure && runTests(folder, suite, [failure.file]);
    if (!failure || again) return again;
    process.stdout.write(`  by chance: ${failure.file}: ${failure.test}\n`);
  }
  return undefined;
}

function plant(folder: string, { path, text, instead }: Defect): () => void {
  const file = join(folder, path);
  const before = readFileSync(file, 'utf8');
  if (before.split(text).length !== 2) throw new Error(`${path} does not hold this text once: ${text}`);
  writeFileSync(file, before.split(text).join(instead));
  return () => writeFileSync(file, before);
}

const chosen = process.argv.slice(2).map(Number);
const planted = DEFECTS.filter((_, index) => chosen.length === 0 || chosen.includes(index + 1));
const folder = copySources();
let unnoticed = 0;
try {
  const found = runTests(folder, DAILY) ?? runTests(folder, SLOW);
  if (found) throw new Error(`Something fails without any defect: ${found.file}: ${found.test}`);
  for (const defect of planted) {
    const remove = plant(folder, defect);
    const startedMs = performance.now();
    const found = findDefect(folder, DAILY) ?? findDefect(folder, SLOW);
    const seconds = Math.round((performance.now() - startedMs) / 1_000);
    remove();
    if (!found) unnoticed += 1;
    process.stdout.write(`${found ? 'noticed' : 'NOT NOTICED'} after ${seconds} s: ${defect.what}\n`);
    if (found) process.stdout.write(`  by ${found.file}: ${found.test}\n`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.stdout.write(`${planted.length - unnoticed} of ${planted.length} defects are noticed\n`);
process.exitCode = unnoticed === 0 ? 0 : 1;
