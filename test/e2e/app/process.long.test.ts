import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/core/base/time/clock.ts';
import { startPlatform, type SimulatedPlatform } from '../../../src/sandbox/platform/platform.ts';
import { startSlack, type SandboxSlack } from '../../../src/sandbox/slack/index.ts';
import { PROGRAM, readOnlyExcept, startProgram } from '../../support/processes/program.ts';
import { canMount } from '../../support/stores/small-disk.ts';
import { createDatabase, type TestDatabase } from '../../support/stores/databases.ts';
import { nextAnswer } from '../../support/slack/conversation.ts';
import { environmentOf } from '../../support/test-app.ts';
import { spawnLimited } from '../../support/processes/limited.ts';

let slack: SandboxSlack;
let platform: SimulatedPlatform;
let database: TestDatabase;
beforeEach(async () => {
  slack = await startSlack({ clock: systemClock });
  platform = await startPlatform({ clock: systemClock, people: 5 });
  database = await createDatabase('sqlite');
});
afterEach(async () => {
  await slack.close();
  await platform.close();
  await database.drop();
});

/** Starts the program on the store of a test. */
const start = (settings: Record<string, string> = {}, within: readonly string[] = []) =>
  startProgram({ ...environmentOf(slack, platform, 'socket'), DATABASE_URL: database.url, ...settings }, within);

describe('the program', () => {
  test('without any setting names the missing ones and the way to try it, and ends with status 2', () => {
    const run = spawnLimited(process.execPath, [PROGRAM], { env: {}, cwd: tmpdir() });
    expect(run.status).toBe(2);
    for (const name of [
      'SLACK_BOT_TOKEN',
      'SLACK_APP_TOKEN',
      'PLATFORM_BASE_URL',
      'PLATFORM_APP_URL',
      'PLATFORM_API_KEY',
    ])
      expect(run.stderr).toContain(name);
    expect(run.stderr).toContain('npm run demo');
  });

  test('answers, and on SIGTERM finishes its work and ends with status 0', async () => {
    const program = start();
    await program.untilRunning();
    platform.faults.add({ kind: 'slow', delayMs: 500 });
    const since = slack.mark();
    await slack.control.command({ as: 'morgan', channel: 'general', command: '/usage', text: '' });
    program.stop();
    expect((await nextAnswer(slack, since)).text).toMatch(/[\d.]+ [KM] credits/);
    expect(await program.ended).toBe(0);
  });

  test.runIf(canMount())('writes only into its folder, so that its root may be read-only', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'quartermaster-data-'));
    const settings = {
      DATABASE_URL: `file:${join(folder, 'quartermaster.db')}`,
      ERASURES_FILE: join(folder, 'erasures.ndjson'),
      ERASURE_PROOFS_FILE: join(folder, 'erasure-proofs.key'),
    };
    const program = start(settings, readOnlyExcept(folder));
    await program.untilRunning();
    const since = slack.mark();
    await slack.control.command({ as: 'morgan', channel: 'general', command: '/usage', text: '' });
    expect((await nextAnswer(slack, since)).text).toMatch(/[\d.]+ [KM] credits/);
    program.stop();
    expect(await program.ended).toBe(0);
    expect(program.output()).not.toMatch(/EROFS|read-only/);
    rmSync(folder, { recursive: true, force: true });
  });

  test('on a second SIGTERM still finishes its work', async () => {
    const program = start();
    await program.untilRunning();
    platform.faults.add({ kind: 'slow', delayMs: 500 });
    const since = slack.mark();
    await slack.control.command({ as: 'morgan', channel: 'general', command: '/usage', text: '' });
    program.stop();
    await program.untilPrinted('Finishing work before the stop');
    program.stop();
    expect((await nextAnswer(slack, since)).text).toMatch(/[\d.]+ [KM] credits/);
    expect(await program.ended).toBe(0);
  });

  test('with a token that Slack refuses reports it in one sentence and ends with status 1', async () => {
    const program = start({ SLACK_BOT_TOKEN: 'xoxb-not-this-one' });
    expect(await program.ended).toBe(1);
    expect(program.output()).toMatch(
      /Quartermaster cannot start\. Slack does not accept SLACK_BOT_TOKEN \(invalid_auth\)/,
    );
    expect(program.output()).not.toContain('xoxb-not-this-one');
  });

  test('with an app token that Slack refuses reports it in one sentence and ends with status 1', async () => {
    const program = start({ SLACK_APP_TOKEN: 'xapp-not-this-one' });
    expect(await program.ended).toBe(1);
    expect(program.output()).toMatch(/cannot start\. Slack does not accept SLACK_APP_TOKEN \(invalid_auth\)/);
  });

  test('with a port that is in use names it, and ends with status 1', async () => {
    const other = createServer().listen(0);
    await new Promise((resolve) => other.once('listening', resolve));
    const address = other.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const program = start({ PORT: String(port) });
    expect(await program.ended).toBe(1);
    expect(program.output()).toContain(`Port ${port} is taken: stop the program that uses it, or set PORT to another.`);
    await new Promise((resolve) => other.close(resolve));
  });

  test('with a Postgres that does not answer reports it, without its password', async () => {
    const program = start({ DATABASE_URL: 'postgres://me:hunter2secret@127.0.0.1:1/quartermaster' });
    expect(await program.ended).toBe(1);
    expect(program.output()).toContain('Nothing answers for quartermaster on 127.0.0.1:1');
    expect(program.output()).not.toContain('hunter2secret');
  });
});
