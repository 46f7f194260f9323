import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../../src/core/base/time/clock.ts';
import { startPlatform } from '../../../src/sandbox/platform/platform.ts';
import { startSlack } from '../../../src/sandbox/slack/index.ts';
import { environmentOf, type TestAppOptions } from '../../support/test-app.ts';

/** A Slack, a platform and settings without a fault. */
export async function startInstallation(clock: Clock, options: Pick<TestAppOptions, 'slack' | 'platform'> = {}) {
  const slack = await startSlack({ clock, ...options.slack });
  const platform = await startPlatform({ clock, people: 5, ...options.platform });
  const folder = mkdtempSync(join(tmpdir(), 'quartermaster-doctor-'));
  const environment: Record<string, string> = {
    ...environmentOf(slack, platform, 'socket'),
    DATABASE_URL: `file:${join(folder, 'deep', 'doctor.db')}`,
    ADMINS: 'U0ADA,morgan.manager@acme.example',
    LIMIT_PERIOD: 'month',
  };
  const close = async () => {
    await Promise.all([slack.close(), platform.close()]);
    rmSync(folder, { recursive: true, force: true });
  };
  return { slack, platform, folder, environment, close };
}

export type Installation = Awaited<ReturnType<typeof startInstallation>>;
