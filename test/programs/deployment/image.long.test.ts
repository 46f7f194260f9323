import { once } from 'node:events';
import { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { execFile, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, statSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { COMPILE_CACHE_FOLDER } from '../../../src/programs/start/bundle-state.js';
import { systemClock } from '../../../src/core/base/time/clock.ts';
import { readInstalledApp } from '../../../src/sandbox/demo/installed-app.ts';
import { startPlatform } from '../../../src/sandbox/platform/platform.ts';
import { startSlack } from '../../../src/sandbox/slack/index.ts';
import { freePort } from '../../support/processes/free-port.ts';
import { eventually } from '../../support/waiting.ts';
import { IMAGE, NODE_OPTIONS } from '../../support/processes/bot-processes.ts';
import { readText, ROOT } from '../../repository/parsing/sources.ts';
import { runLimited, spawnLimited } from '../../support/processes/limited.ts';

const dockerfile = readText('Dockerfile').replaceAll(/\\\n\s*/g, '');
const instructions = dockerfile.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
const ignored = readText('.dockerignore')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));

/** Whether Docker sees this path. The last line that matches it, or a folder above it, decides. */
function isInContext(path: string): boolean {
  let isIn = true;
  for (const line of ignored) {
    const pattern = line.replace(/^!/, '');
    if (pattern === '*' || path === pattern || path.startsWith(`${pattern}/`)) isIn = line.startsWith('!');
  }
  return isIn;
}

const isFrom = (line: string) => line.startsWith('FROM ');
const lastFrom = instructions.findLastIndex(isFrom);
const stages = { build: instructions.slice(0, lastFrom), last: instructions.slice(lastFrom) };

/** The files that a stage copies from the repository, or from another stage, as [from, to] below the working folder. */
function copies(stage: readonly string[], from: 'repository' | 'build'): [string, string][] {
  return stage
    .filter((line) => line.startsWith('COPY ') && line.includes('--from=build') === (from === 'build'))
    .flatMap((line) => {
      const words = line.split(/\s+/).slice(from === 'build' ? 2 : 1);
      const target = words.at(-1) ?? '';
      return words
        .slice(0, -1)
        .map((path) => path.replace('/app/', ''))
        .map((path): [string, string] => [path, target.endsWith('/') ? join(target, path) : target]);
    });
}

function copyTo(folder: string, source: string, paths: readonly [string, string][]): void {
  for (const [from, to] of paths) {
    cpSync(join(source, from), join(folder, to), {
      recursive: true,
      filter: (path) => source !== ROOT || isInContext(relative(ROOT, path)),
    });
  }
}

/** Performs the steps of both stages, with the packages that are installed here. */
function buildImage(): string {
  const build = mkdtempSync(join(tmpdir(), 'quartermaster-build-'));
  copyTo(build, ROOT, copies(stages.build, 'repository'));
  symlinkSync(join(ROOT, 'node_modules'), join(build, 'node_modules'));
  expect(stages.build).toContain('RUN npm run build');
  runLimited(process.execPath, ['src/programs/bundle/main.ts'], { cwd: build, stdio: 'pipe' });
  const image = mkdtempSync(join(tmpdir(), 'quartermaster-image-'));
  copyTo(image, ROOT, copies(stages.last, 'repository'));
  copyTo(image, build, copies(stages.last, 'build'));
  rmSync(build, { recursive: true, force: true });
  return image;
}

/** As the process ends, it prints which modules of Node and files it has loaded. */
const REPORT_MODULES = encodeURIComponent(`import { registerHooks } from 'node:module';
  const files = [];
  registerHooks({ load: (url, context, next) => (files.push(url.split('/').at(-1)), next(url, context)) });
  process.on('exit', () =>
    console.log('modules: ' + [...process.moduleLoadList, ...files].map((name) => name.replace(/^NativeModule /, '')).join(' ')))`);
const mapSchema = z.object({ sources: z.array(z.string()) });

describe('the image', () => {
  let folder: string;
  beforeAll(() => {
    folder = buildImage();
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Runs a program there as the image would. */
  const run = (script: string, env: Record<string, string> = {}) =>
    new Promise<{ code: number | string; output: string }>((resolve) => {
      const options = { cwd: folder, env, timeout: 60_000 };
      execFile(process.execPath, [script], options, (error, stdout, stderr) =>
        resolve({ code: error?.code ?? 0, output: stdout + stderr }),
      );
    });

  test('holds the bot, the doctor and the backup program in one bundle, and nothing of the sandbox, the tests or the settings', () => {
    expect(readdirSync(folder).toSorted()).toEqual(['dist', 'package.json']);
    expect(readdirSync(join(folder, 'dist', COMPILE_CACHE_FOLDER), { recursive: true }).length).toBeGreaterThan(5);
    expect(stages.last).toContain(`ENV NODE_COMPILE_CACHE=/app/dist/${COMPILE_CACHE_FOLDER}`);
    const maps = readdirSync(join(folder, 'dist')).filter((name) => name.endsWith('.map'));
    const sources = maps.flatMap(
      (name) => mapSchema.parse(JSON.parse(readFileSync(join(folder, 'dist', name), 'utf8'))).sources,
    );
    // The version is read from package.json, which the image contains anyway.
    const own = sources.filter((source) => !source.includes('node_modules') && source !== '../package.json');
    expect(own).toContain('../src/app/app.ts');
    expect(own).toContain('../src/programs/doctor/main.ts');
    expect(own).toContain('../src/programs/backup/main.ts');
    expect(own.filter((source) => !source.startsWith('../src/') || source.startsWith('../src/sandbox/'))).toEqual([]);
  });

  test('has the compiled code of a real start with the options of the image', () => {
    const cache = join(folder, 'dist', COMPILE_CACHE_FOLDER);
    const kept = () => readdirSync(cache).toSorted();
    const before = kept();
    const env = { NODE_COMPILE_CACHE: cache };
    const { status } = spawnLimited(process.execPath, [...IMAGE.nodeOptions, 'dist/main.js'], { cwd: folder, env });
    expect(status).toBe(2);
    // A start with other options would have made a folder of its own.
    expect(kept()).toEqual(before);
  });

  test('starts up to the settings, and names the missing ones', async () => {
    const { code, output } = await run('dist/main.js');
    expect(code).toBe(2);
    expect(output).toContain('Quartermaster cannot start; these settings need attention:');
    expect(output).toContain('SLACK_BOT_TOKEN is missing');
  });

  test.each(['socket', 'http'] as const)(
    'answers a command over %s, and loads neither Node’s own copy of undici nor the packages for Postgres and tools',
    async (transport) => {
      const slack = await startSlack({ clock: systemClock, transport });
      await slack.control.configure(readInstalledApp());
      const platform = await startPlatform({ clock: systemClock });
      const [port, metricsPort] = [await freePort(), await freePort()];
      const secret =
        transport === 'socket' ? { SLACK_APP_TOKEN: slack.appToken } : { SLACK_SIGNING_SECRET: slack.signingSecret };
      const bot = spawn(process.execPath, [`--import=data:text/javascript,${REPORT_MODULES}`, 'dist/main.js'], {
        cwd: folder,
        stdio: ['ignore', 'pipe', 'inherit'],
        env: {
          ...secret,
          SLACK_BOT_TOKEN: slack.botToken,
          SLACK_API_URL: slack.apiUrl,
          PLATFORM_BASE_URL: platform.baseUrl,
          PLATFORM_APP_URL: platform.appUrl,
          PLATFORM_API_KEY: platform.apiKeys.manager,
          DATABASE_URL: `file:${join(folder, `${transport}.db`)}`,
          MANAGERS: 'morgan.manager@acme.example',
          PORT: String(port),
          METRICS_PORT: String(metricsPort),
        },
      });
      const output = text(bot.stdout);
      try {
        await eventually(async () => {
          const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
          return answer?.ok === true || undefined;
        }, 'a bot that is ready');
        slack.setEventsUrl(`http://127.0.0.1:${port}/slack/events`);
        await slack.control.command({ as: 'morgan', channel: 'general', command: '/usage', text: '7d' });
        const { message } = await slack.next(
          ['ephemeral', 'message_updated'],
          ({ message: one }) => !one.text.startsWith('Reading'),
        );
        expect(JSON.stringify(message.blocks)).toContain('Active people');
      } finally {
        bot.kill('SIGTERM');
        await Promise.all([once(bot, 'exit'), slack.close(), platform.close()]);
      }
      const loaded = /^modules: (.*)$/m.exec(await output)?.[1]?.split(' ') ?? [];
      expect(loaded).toEqual(expect.arrayContaining(['http', 'packages.js']));
      const spared = ['postgres-packages.js', 'tools-packages.js'];
      expect(readdirSync(join(folder, 'dist'))).toEqual(expect.arrayContaining(spared));
      expect(['internal/deps/undici/undici', ...spared].filter((name) => loaded.includes(name))).toEqual([]);
    },
  );

  test('merges the write-ahead log of a store into its file in a separate thread', async () => {
    const path = join(folder, 'store.db');
    const store = new DatabaseSync(path);
    store.exec('pragma journal_mode = wal; pragma wal_autocheckpoint = 0; create table t (a text)');
    store.prepare('insert into t values (?)').run('x'.repeat(100_000));
    const worker = new Worker(join(folder, 'dist/sqlite-checkpoint.js'), { workerData: path });
    const [code] = await once(worker, 'exit');
    expect(code).toBe(0);
    expect(statSync(path).size).toBeGreaterThan(100_000);
    store.close();
    rmSync(path);
  });

  test('names the sources in the stack of an error', async () => {
    const { code, output } = await run('dist/main.js', {
      SLACK_BOT_TOKEN: 'xoxb-1-a',
      SLACK_APP_TOKEN: 'xapp-1-a',
      PLATFORM_BASE_URL: 'https://platform.example',
      PLATFORM_APP_URL: 'https://app.platform.example',
      PLATFORM_API_KEY: 'key-of-the-platform',
      DATABASE_URL: 'file:/dev/null/no.db',
    });
    expect(code).toBe(1);
    expect(output).toMatch(/src\/core\/store\/database\.ts:\d+/);
  });

  test('can back up', async () => {
    const { code, output } = await run('dist/backup.js', { DATABASE_URL: 'file:absent.db' });
    expect([code, output]).toEqual([2, expect.stringContaining('npm run backup -- FILE')]);
  });

  test('has the program that erases people and exports their stored data', async () => {
    const { code, output } = await run('dist/erasure.js');
    expect({ code, output }).toMatchObject({ code: 2, output: expect.stringContaining('npm run erase -- ') });
  });

  test('can run the doctor', async () => {
    const { code, output } = await run('dist/doctor.js');
    expect(output).toMatch(/fault +SLACK_BOT_TOKEN +is missing/);
    expect(code).toBe(1);
  });
});

describe('the Dockerfile', () => {
  const has = (pattern: RegExp) => instructions.some((line) => pattern.test(line));

  test('never runs the bot as root, and keeps its data on a volume', () => {
    expect(has(/^USER node$/)).toBe(true);
    expect(has(/^VOLUME \/data$/)).toBe(true);
    expect(has(/^ENV .*DATABASE_URL=file:\/data\//)).toBe(true);
    expect(instructions.findIndex((line) => line.startsWith('USER'))).toBeLessThan(
      instructions.findIndex((line) => line.startsWith('CMD')),
    );
  });

  test('installs the locked packages on the Node version that the sources need', () => {
    expect(has(/^RUN npm ci /)).toBe(true);
    expect(
      instructions
        .filter((line) => line.startsWith('FROM '))
        .every((line) => /^FROM node:24\.\d+\.\d+-bookworm-slim@sha256:[0-9a-f]{64}( AS \w+)?$/.test(line)),
    ).toBe(true);
  });

  test('runs the bot as npm start and the benchmark do', () => {
    const { scripts } = z
      .object({ scripts: z.object({ start: z.string() }) })
      .parse(JSON.parse(readText('package.json')));
    const command = JSON.parse(instructions.find((line) => line.startsWith('CMD '))?.slice('CMD '.length) ?? '[]');
    const settings = Object.entries(IMAGE.environment).map(([name, value]) => `${name}=${value}`);
    expect(scripts.start).toBe([...settings, 'node', ...NODE_OPTIONS, 'src/programs/start/main.js'].join(' '));
    expect(command).toEqual(['node', ...IMAGE.nodeOptions, 'dist/main.js']);
    const set = stages.last.filter((line) => line.startsWith('ENV ')).flatMap((line) => line.split(' '));
    expect(set).toEqual(
      expect.arrayContaining(Object.entries(IMAGE.environment).map(([name, value]) => `${name}=${value}`)),
    );
  });

  test('passes the signals to the bot, and checks that it is alive', () => {
    const command = JSON.parse(instructions.find((line) => line.startsWith('CMD '))?.slice('CMD '.length) ?? '[]');
    expect(command.at(-1)).toBe('dist/main.js');
    expect(has(/^HEALTHCHECK .*\/healthz/)).toBe(true);
    expect(has(/^EXPOSE 3000 9464$/)).toBe(true);
  });
});
