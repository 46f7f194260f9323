import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { NODE_OPTIONS } from '../support/bot-processes.ts';
import { localImports, readText, ROOT, typeScriptFiles } from './sources.ts';

const dockerfile = readText('Dockerfile').replaceAll(/\\\n\s*/g, '');
const instructions = dockerfile.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
const ignored = readText('.dockerignore')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));

/** Is this path part of what Docker sees? The last line that matches it, or a folder above it, decides. */
function isInContext(path: string): boolean {
  let isIn = true;
  for (const line of ignored) {
    const pattern = line.replace(/^!/, '');
    if (pattern === '*' || path === pattern || path.startsWith(`${pattern}/`)) isIn = line.startsWith('!');
  }
  return isIn;
}

/** What the last stage copies from the repository, as [from, to] below the working folder. */
function copies(): [string, string][] {
  const lastStage = instructions.slice(instructions.findLastIndex((line) => line.startsWith('FROM ')));
  return lastStage
    .filter((line) => line.startsWith('COPY ') && !line.includes('--from='))
    .flatMap((line) => {
      const words = line.split(/\s+/).slice(1);
      const target = words.at(-1) ?? '';
      return words
        .slice(0, -1)
        .map((from): [string, string] => [from, target.endsWith('/') ? join(target, from) : target]);
    });
}

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({ dev: z.boolean().optional(), optional: z.boolean().optional(), devOptional: z.boolean().optional() }),
  ),
});

/** The packages that `npm ci --omit=dev --omit=optional` installs. */
function productionPackages(): string[] {
  const { packages } = lockSchema.parse(JSON.parse(readText('package-lock.json')));
  return Object.entries(packages)
    .filter(([path, entry]) => path !== '' && !entry.dev && !entry.optional && !entry.devOptional)
    .map(([path]) => path)
    .filter((path) => path.lastIndexOf('node_modules/') === 0);
}

function buildImage(): string {
  const folder = mkdtempSync(join(tmpdir(), 'quartermaster-image-'));
  for (const [from, to] of copies()) {
    cpSync(join(ROOT, from), join(folder, to), {
      recursive: true,
      filter: (source) => isInContext(relative(ROOT, source)),
    });
  }
  for (const path of productionPackages()) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    symlinkSync(join(ROOT, path), join(folder, path));
  }
  return folder;
}

describe('the image', () => {
  let folder: string;
  beforeAll(() => {
    folder = buildImage();
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Runs a program there as the image would; the packages stay where they were linked to. */
  const run = (script: string) =>
    new Promise<{ code: number | string; output: string }>((resolve) => {
      const options = { cwd: folder, env: {}, timeout: 60_000 };
      execFile(process.execPath, ['--preserve-symlinks', script], options, (error, stdout, stderr) =>
        resolve({ code: error?.code ?? 0, output: stdout + stderr }),
      );
    });

  test('holds the bot and its packages, and nothing of the sandbox, the tests or the settings', () => {
    expect(readdirSync(folder).toSorted()).toEqual(['node_modules', 'package.json', 'src']);
    expect(existsSync(join(folder, 'src/main.ts'))).toBe(true);
    expect(existsSync(join(folder, 'src/sandbox'))).toBe(false);
    expect(existsSync(join(folder, 'node_modules/vitest'))).toBe(false);
  });

  test('starts as far as the settings, and says which are missing', async () => {
    const { code, output } = await run('src/main.ts');
    expect(code).toBe(2);
    expect(output).toContain('Quartermaster cannot start; these settings need attention:');
    expect(output).toContain('SLACK_BOT_TOKEN is missing');
  });

  test('can run the doctor', async () => {
    const { code, output } = await run('src/doctor/main.ts');
    expect(output).toMatch(/fault +SLACK_BOT_TOKEN +is missing/);
    expect(code).toBe(1);
  });

  test('holds every file that its files import', () => {
    const missing = typeScriptFiles('src')
      .filter(({ path }) => isInContext(path))
      .flatMap((file) => localImports(file).map((target) => ({ file: file.path, target })))
      .filter(({ target }) => !existsSync(join(folder, target)));
    expect(missing).toEqual([]);
  });
});

describe('the Dockerfile', () => {
  const has = (pattern: RegExp) => instructions.some((line) => pattern.test(line));

  test('never runs the bot as root, and keeps what it remembers on a volume', () => {
    expect(has(/^USER node$/)).toBe(true);
    expect(has(/^VOLUME \/data$/)).toBe(true);
    expect(has(/^ENV .*DATABASE_URL=file:\/data\//)).toBe(true);
    expect(instructions.findIndex((line) => line.startsWith('USER'))).toBeLessThan(
      instructions.findIndex((line) => line.startsWith('CMD')),
    );
  });

  test('installs the locked packages on the Node that the sources need', () => {
    expect(has(/^RUN npm ci --omit=dev --omit=optional/)).toBe(true);
    expect(
      instructions
        .filter((line) => line.startsWith('FROM '))
        .every((line) => /^FROM node:24\.\d+\.\d+-bookworm-slim@sha256:[0-9a-f]{64}( AS \w+)?$/.test(line)),
    ).toBe(true);
  });

  test('runs the bot as npm start does, and as it is measured', () => {
    const { scripts } = z
      .object({ scripts: z.object({ start: z.string() }) })
      .parse(JSON.parse(readText('package.json')));
    const command = JSON.parse(instructions.find((line) => line.startsWith('CMD '))?.slice('CMD '.length) ?? '[]');
    expect(command).toEqual(scripts.start.split(' '));
    expect(command).toEqual(['node', ...NODE_OPTIONS, 'src/main.ts']);
  });

  test('gives the signals to the bot, and asks it whether it is alive', () => {
    const command = JSON.parse(instructions.find((line) => line.startsWith('CMD '))?.slice('CMD '.length) ?? '[]');
    expect(command.at(-1)).toBe('src/main.ts');
    expect(has(/^HEALTHCHECK .*\/healthz/)).toBe(true);
    expect(has(/^EXPOSE 3000 9464$/)).toBe(true);
  });
});
