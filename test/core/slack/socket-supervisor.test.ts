import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLogger } from '../../../src/core/base/log.ts';
import { directNetwork } from '../../../src/core/http/network.ts';
import { createSocketReceiver } from '../../../src/core/slack/receivers/socket/socket-supervisor.ts';
import { createMovableClock, type MovableClock } from '../../../src/sandbox/demo/movable-clock.ts';
import { startSlack, type SandboxSlack } from '../../../src/sandbox/slack/index.ts';
import { inTime } from '../../support/waiting.ts';

const log = createLogger('silent', []);
/** Slack takes none of these back: https://docs.slack.dev/reference/methods/apps.connections.open */
const HOPELESS = ['token_revoked', 'token_expired', 'invalid_auth', 'not_authed', 'account_inactive', 'missing_scope'];

let slack: SandboxSlack;
let clock: MovableClock;
beforeEach(async () => {
  clock = createMovableClock(new Date('2026-03-02T08:00:00Z'), { frozen: true });
  slack = await startSlack({ clock });
});
afterEach(async () => {
  await slack.close();
  clock.dispose();
});

const supervise = (onFatal: (reason: string) => void) =>
  createSocketReceiver({ appToken: slack.appToken, apiUrl: slack.apiUrl, network: directNetwork, log, onFatal })
    .supervisor;

test.each(HOPELESS)('an app-level token that Slack refuses with %s ends the start with its sentence', async (code) => {
  slack.faults.add({ method: 'apps.connections.open', kind: 'error', error: code });
  const supervisor = supervise(() => {});
  await expect(inTime(supervisor.start(), () => 'the start to end')).rejects.toThrow(
    `Slack does not accept SLACK_APP_TOKEN (${code})`,
  );
  await supervisor.stop();
});

test.each(['token_revoked', 'token_expired'])(
  'a token that is refused later with %s ends the process',
  async (code) => {
    const fatal = Promise.withResolvers<string>();
    const supervisor = supervise(fatal.resolve);
    await supervisor.start();
    slack.faults.add({ method: 'apps.connections.open', kind: 'error', error: code });
    await slack.control.breakSockets({ kind: 'refresh_requested' });
    expect(await inTime(fatal.promise, () => 'the process to end')).toContain(code);
    await supervisor.stop();
  },
);
