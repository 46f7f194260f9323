import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SECRET_NAMES, describeFaults, readConfig } from '../../../src/core/base/settings/config.ts';
import { readEnvironment, readSecretFiles } from '../../../src/core/base/settings/environment.ts';
import { runLimited } from '../../support/processes/limited.ts';

const COMPLETE: Record<string, string> = {
  SLACK_BOT_TOKEN: 'xoxb-1',
  SLACK_APP_TOKEN: 'xapp-1',
  SLACK_SIGNING_SECRET: 'signing-1',
  PLATFORM_BASE_URL: 'https://platform.example/api/v1',
  PLATFORM_APP_URL: 'https://app.platform.example',
  PLATFORM_API_KEY: 'key-1',
  DATABASE_URL: 'postgres://me:secret@db/quartermaster',
  HTTPS_PROXY: 'http://me:secret@proxy.example:3128',
  HTTP_PROXY: 'http://me:secret@proxy.example:3129',
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quartermaster-secrets-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const inFile = (name: string, text: string) => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const pipe = () => {
  const path = join(folder, 'pipe');
  runLimited('mkfifo', [path]);
  return path;
};
const read = (environment: Record<string, string>) => {
  const given = readSecretFiles(environment);
  return readConfig(given.environment, given.faults);
};

describe('a secret', () => {
  test('is one of the settings that must never be printed', () => {
    expect(SECRET_NAMES).toEqual([
      'SLACK_BOT_TOKEN',
      'SLACK_APP_TOKEN',
      'SLACK_SIGNING_SECRET',
      'PLATFORM_API_KEY',
      'DATABASE_URL',
      'HTTPS_PROXY',
      'HTTP_PROXY',
    ]);
  });

  test.each(SECRET_NAMES)('such as %s may come from a file, whose last line break does not count', (name) => {
    const { [name]: secret = '', ...rest } = COMPLETE;
    expect(read({ ...rest, [`${name}_FILE`]: inFile('secret', `${secret}\n`) })).toEqual(read(COMPLETE));
  });

  test('may not be given both ways, and each faulty one is named once', () => {
    const result = read({
      ...COMPLETE,
      PLATFORM_API_KEY_FILE: inFile('key', 'key-2'),
      SLACK_BOT_TOKEN: '',
      SLACK_BOT_TOKEN_FILE: join(folder, 'absent'),
      SLACK_APP_TOKEN: '',
      SLACK_APP_TOKEN_FILE: inFile('empty', ' \n'),
    });
    expect(result.ok ? '' : describeFaults(result.faults).split('\n').slice(1, -1)).toEqual([
      `  SLACK_BOT_TOKEN_FILE names ${join(folder, 'absent')}, which does not exist: correct it, and let the program’s user read it`,
      `  SLACK_APP_TOKEN_FILE names ${join(folder, 'empty')}, which is empty: put the secret there`,
      '  PLATFORM_API_KEY_FILE and PLATFORM_API_KEY are both set: keep one of them',
    ]);
  });

  test('in a file is checked like one in the environment', () => {
    const { SLACK_BOT_TOKEN: _, ...rest } = COMPLETE;
    expect(read({ ...rest, SLACK_BOT_TOKEN_FILE: inFile('token', 'xoxp-1') })).toMatchObject({
      ok: false,
      faults: [{ name: 'SLACK_BOT_TOKEN', sentence: expect.stringContaining('does not start with xoxb-') }],
    });
  });

  test.each([
    ['a folder', () => folder, /is a folder/],
    ['a device that never ends', () => '/dev/zero', /no file of at most 64 KB/],
    ['a pipe without a writer', () => pipe(), /no file of at most 64 KB/],
    ['larger than a secret', () => inFile('huge', 'x'.repeat(70_000)), /no file of at most 64 KB/],
    ['too long', () => inFile('long', 'x'.repeat(20_000)), /too long for a secret/],
  ])('whose file is %s is a fault of one sentence', (_, path, sentence) => {
    const { PLATFORM_API_KEY: __, ...rest } = COMPLETE;
    const result = read({ ...rest, PLATFORM_API_KEY_FILE: path() });
    expect(result).toMatchObject({
      faults: [{ name: 'PLATFORM_API_KEY_FILE', sentence: expect.stringMatching(sentence) }],
    });
  });

  test('whose file may not be read is a fault of one sentence', async () => {
    const { PLATFORM_API_KEY: _, ...rest } = COMPLETE;
    // No user can read a socket as a file, not even root.
    const path = join(folder, 'closed');
    const server = createServer().listen(path);
    await once(server, 'listening');
    expect(read({ ...rest, PLATFORM_API_KEY_FILE: path })).toMatchObject({
      faults: [{ name: 'PLATFORM_API_KEY_FILE', sentence: expect.stringContaining('cannot be read') }],
    });
    server.close();
  });
});

describe('an environment', () => {
  test('may hold values in quotes, as `docker run --env-file` leaves them', () => {
    const quoted = Object.fromEntries(
      Object.entries(COMPLETE).map(([name, value], index) => [name, index % 2 ? `"${value}"` : ` '${value}' `]),
    );
    expect(read(quoted)).toEqual(read(COMPLETE));
    expect(readSecretFiles({ A: `"`, B: `'a"`, C: `""` }).environment).toEqual({ A: `"`, B: `'a"`, C: '' });
  });

  test('reads missing settings from .env, and reports an unreadable file', () => {
    const path = inFile('.env', `QM_TEST_ONE="a b" # a comment\nQM_TEST_TWO='x'\n`);
    process.env['QM_TEST_TWO'] = 'kept';
    const { environment, faults } = readEnvironment(process.env, path);
    expect([environment['QM_TEST_ONE'], environment['QM_TEST_TWO'], faults]).toEqual(['a b', 'kept', []]);
    for (const name of ['QM_TEST_ONE', 'QM_TEST_TWO']) delete process.env[name];
    mkdirSync(join(folder, 'folder'));
    expect(readEnvironment({}, join(folder, 'folder')).faults).toMatchObject([{ name: join(folder, 'folder') }]);
    expect(readEnvironment({}, join(folder, 'absent')).faults).toEqual([]);
  });
});
