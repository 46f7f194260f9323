import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createMovableClock, type MovableClock } from '../../../src/sandbox/demo/movable-clock.ts';
import { readInstalledApp } from '../../../src/sandbox/demo/installed-app.ts';
import { COVERAGE } from '../../../src/sandbox/platform/coverage.ts';
import { startPlatform, type SimulatedPlatform } from '../../../src/sandbox/platform/platform.ts';
import { startSlack, type SandboxSlack } from '../../../src/sandbox/slack/index.ts';
import { startBotProcess, type BotProcess } from '../../support/processes/bot-processes.ts';
import { createDatabase, type TestDatabase } from '../../support/stores/databases.ts';
import { startSpoilingProxy, type SpoilingProxy } from './spoiling-proxy.ts';
import type { FormValues } from '../../../src/sandbox/slack/people/control-types.ts';
import { fillForm, openByCommand } from '../../support/slack/modals.ts';
import { environmentOf } from '../../support/test-app.ts';
import { TALKS, type Talk } from '../../support/platform/operations.ts';
import { WORST_KINDS, worstText } from '../../support/slack/worst-texts.ts';

const MAX_STALL_MS = 250;
const NOW = new Date('2026-10-05T08:00:00Z');
const FIRST_DAY = Date.parse('2026-02-01T00:00:00Z');
/** Every kind for every text takes a quarter of an hour: that is for the long rounds. */
const ARE_ALL_TRIED = process.env['WORST_TEXTS'] === 'all';
const KINDS_A_PLACE = ARE_ALL_TRIED ? WORST_KINDS.length : 2;
// With all kinds, one process for all tests would run out of days, and live through years.
const [beforeThem, afterThem] = ARE_ALL_TRIED ? [beforeEach, afterEach] : [beforeAll, afterAll];

let clock: MovableClock;
let slack: SandboxSlack;
let platform: SimulatedPlatform;
let proxy: SpoilingProxy;
let database: TestDatabase;
let bot: BotProcess;
let days = 0;
beforeThem(async () => {
  days = 0;
  clock = createMovableClock(NOW, { frozen: true });
  slack = await startSlack({ clock });
  await slack.control.configure(readInstalledApp());
  platform = await startPlatform({ clock, people: 5 });
  proxy = await startSpoilingProxy(platform.baseUrl);
  database = await createDatabase('sqlite');
  const environment = {
    ...environmentOf(slack, platform, 'socket'),
    PLATFORM_BASE_URL: proxy.address,
    PLATFORM_APP_URL: proxy.address,
    DATABASE_URL: database.url,
    CONTROLS_POLL_SECONDS: '86400',
    // Forms that no admin could decide have no fields.
    ADMINS: 'U0ADA,U0NORA',
  };
  bot = await startBotProcess(environment, NOW);
  await bot.untilLogged('Quartermaster is running');
});
afterThem(async () => {
  await bot.stop();
  await slack.close();
  await platform.close();
  await proxy.close();
  clock.dispose();
  await database.drop();
});

/** A day that was not read before: settled days are read from the store. */
function freshDay(): string {
  days += 1;
  return new Date(FIRST_DAY + days * 86_400_000).toISOString().slice(0, 10);
}

/** Types a command and waits for its answer, which may be cut and so end like a progress message. */
async function ask(command: string, text: string): Promise<void> {
  const since = slack.mark();
  await slack.control.command({ as: 'ada', channel: 'general', command, text });
  await slack.next(
    ['ephemeral', 'message_updated'],
    ({ message }) => !/^(Reading|Asking)\b.{0,80}…$/.test(message.text),
    { since },
  );
}

let revision = 0;

const talk = (): Talk => ({
  ask: (command, text = '') => ask(command, text),
  freshDay,
  session: platform.sessionIds[0] ?? '',
  passHours: () => bot.moveTo(new Date(NOW.getTime() + (revision += 1) * 3_600_000)),
  revise: () => {
    platform.addRevision({ settings: { ring: `r${(revision += 1)}` } });
    bot.moveTo(new Date(NOW.getTime() + revision * 90_000_000));
  },
});

/** By the path of the operation, as the proxy names it. */
const ENDPOINTS = new Map(
  Object.entries(TALKS).map(([operation, drive]) => [
    operation.replace('GET ', '').replaceAll(/\{\w+\}/g, '*'),
    () => drive(talk()),
  ]),
);

test('each operation that reads has commands that ask for it', () => {
  // The platform here is that of the contract.
  const served = COVERAGE.filter(({ edition }) => edition !== 'today');
  const reading = served.flatMap(({ operation }) => /^GET (\S+)$/.exec(operation)?.[1] ?? []);
  // One computer is asked for only while it is created.
  const asked = reading
    .filter((path) => !path.endsWith('{computerId}'))
    .map((path) => path.replaceAll(/\{\w+\}/g, '*'));
  expect(new Set(ENDPOINTS.keys())).toEqual(new Set(asked));
});

describe('64 KB of the worst kind', () => {
  test.each([...ENDPOINTS.keys()])(
    'in any text of an answer of %s delay no other request',
    async (path) => {
      const drive = ENDPOINTS.get(path);
      if (!drive) throw new Error('nothing asks for it');
      await drive();
      const places = [...(proxy.places.get(path) ?? [])];
      expect(places.length).toBeGreaterThan(1);
      await bot.measure();
      const stalls: string[] = [];
      for (const [index, place] of places.entries()) {
        for (let kind = 0; kind < KINDS_A_PLACE; kind += 1) {
          const name = WORST_KINDS[(index * KINDS_A_PLACE + kind) % WORST_KINDS.length] ?? '';
          proxy.spoil({ place, text: worstText(name) });
          await drive();
          const { worstStallMs } = await bot.measure();
          if (worstStallMs > MAX_STALL_MS) stalls.push(`${place}, ${name}: ${Math.round(worstStallMs)} ms`);
        }
      }
      proxy.spoil(undefined);
      expect(stalls).toEqual([]);
    },
    900_000,
  );

  test.each([
    ['/limits', 'request', { amount: 8, reason: 500 }],
    ['/computers', 'create', { name: 63, remoteUser: 63, repos: 2_990, hostId: 100 }],
    ['/limits', 'import', { list: 2_990 }],
  ])(
    'in the form of %s %s delay no other request',
    async (command, text, fields) => {
      await bot.measure();
      const stalls: string[] = [];
      for (const kind of WORST_KINDS) {
        await openByCommand(slack, 'ada', command, text);
        // The longest text that Slack accepts there.
        const typed = (field: string, length: number) => (field === 'amount' ? '50000000' : worstText(kind, length));
        const values = Object.fromEntries(
          Object.entries(fields).map(([field, length]) => [field, { [field]: typed(field, length) }]),
        );
        const choices: FormValues = command === '/computers' ? { provider: { provider: 'byom' } } : {};
        await fillForm(slack, 'ada', { ...choices, ...values });
        await slack.control.submit({ as: 'ada' });
        const { worstStallMs } = await bot.measure();
        if (worstStallMs > MAX_STALL_MS) stalls.push(`${kind}: ${Math.round(worstStallMs)} ms`);
        await slack.control.close({ as: 'ada', all: true }).catch(() => undefined);
      }
      expect(stalls).toEqual([]);
    },
    120_000,
  );

  test('in the words after a command delay no other request', async () => {
    await bot.measure();
    const stalls: string[] = [];
    for (const command of ['/usage', '/readiness', '/computers', '/limits', '/controls', '/session', '/digest']) {
      for (const kind of WORST_KINDS) {
        const length = kind.length % 2 === 0 ? 3_900 : 64 * 1024;
        await ask(command, worstText(kind, length).replace(/^x/, 'show '));
        const { worstStallMs } = await bot.measure();
        if (worstStallMs > MAX_STALL_MS) stalls.push(`${command}, ${kind}: ${Math.round(worstStallMs)} ms`);
      }
    }
    expect(stalls).toEqual([]);
  }, 120_000);
});
