import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { createMovableClock } from '../../../src/sandbox/demo/movable-clock.ts';
import { readInstalledApp } from '../../../src/sandbox/demo/installed-app.ts';
import { startSlack, type SandboxSlack } from '../../../src/sandbox/slack/index.ts';
import { EVERY_DAY } from '../../../src/core/schedule/occurrences.ts';
import { putSubscription } from '../../../src/core/schedule/subscriptions.ts';
import { openStore } from '../../../src/core/store/database.ts';
import type { Engine } from '../../../src/core/store/store.ts';
import { startChannelSubscription } from '../../../src/core/watches/channel-subscriptions.ts';
import { IMAGE, startBotProcess, type BotProcess } from '../../support/processes/bot-processes.ts';
import { findPostgres, startPostgresServer } from '../../support/stores/postgres-server.ts';
import type { PlatformProcess } from '../large-organization.ts';

/** A Monday. The digests of the day are due at the hours after it. */
export const SEVEN = new Date('2026-04-13T07:00:00Z');
const SECTIONS = ['summary', 'credits', 'people', 'tools', 'activity'];
const LOCK_LOOK_EVERY_MS = 20;
const MB = 1024 ** 2;

/** A database of one measurement. */
interface ScaleDatabase {
  url: string;
  sizeMb(): Promise<number>;
  /**
   * Counts until `stop` how many sessions wait for a lock.
   * @returns the share of looks at a busy session in which it waited
   */
  watchLocks(): { stop(): Promise<number> };
  drop(): Promise<void>;
}

function createSqlite(): ScaleDatabase {
  const folder = mkdtempSync(join(tmpdir(), 'quartermaster-bench-'));
  const path = join(folder, 'bench.db');
  const sizeOf = (suffix: string) => statSync(path + suffix, { throwIfNoEntry: false })?.size ?? 0;
  return {
    url: `file:${path}`,
    sizeMb: () => Promise.resolve((sizeOf('') + sizeOf('-wal')) / MB),
    // Its one process waits for no other.
    watchLocks: () => ({ stop: () => Promise.resolve(0) }),
    drop: () => Promise.resolve(rmSync(folder, { recursive: true })),
  };
}

async function createPostgres(): Promise<ScaleDatabase> {
  const programs = findPostgres();
  if (!programs) throw new Error('Postgres is needed: install Debian’s postgresql');
  const server = await startPostgresServer(programs);
  const client = new Client({ connectionString: server.url });
  await client.connect();
  const numberOf = async (query: string) => {
    const { rows } = await client.query<{ value: string }>(query);
    return Number(rows[0]?.value ?? 0);
  };
  return {
    url: server.url,
    sizeMb: async () => (await numberOf('select pg_database_size(current_database()) as value')) / MB,
    watchLocks: () => {
      const over = new AbortController();
      const watching = (async () => {
        let busy = 0;
        let waiting = 0;
        while (!over.signal.aborted) {
          const active = `from pg_stat_activity where state = 'active' and pid <> pg_backend_pid()`;
          busy += await numberOf(`select count(*) as value ${active}`);
          waiting += await numberOf(`select count(*) as value ${active} and wait_event_type = 'Lock'`);
          await new Promise((resolve) => setTimeout(resolve, LOCK_LOOK_EVERY_MS));
        }
        return busy === 0 ? 0 : waiting / busy;
      })();
      return {
        stop: async () => {
          over.abort();
          return watching;
        },
      };
    },
    drop: async () => {
      await client.end();
      await server.stop();
    },
  };
}

/** Several bots over one store, for a platform and a Slack of a given size. */
export interface ScaleScene {
  slack: SandboxSlack;
  bots: readonly BotProcess[];
  database: ScaleDatabase;
  moveTo(now: Date): void;
  stop(): Promise<void>;
}

export interface ScaleSettings {
  engine: Engine;
  processes: number;
  digests: number;
  watches: number;
  /** How often each digest comes, once an hour: processes that have just started still compile their code. */
  mornings: number;
  commands: number;
}

export const hoursOf = ({ mornings }: ScaleSettings): number[] =>
  Array.from({ length: mornings }, (_, index) => SEVEN.getUTCHours() + 1 + index);

export const twoDigits = (hour: number) => String(hour).padStart(2, '0');

export async function startScaleScene(platform: PlatformProcess, settings: ScaleSettings): Promise<ScaleScene> {
  const clock = createMovableClock(SEVEN);
  const slack = await startSlack({ clock });
  await slack.control.configure(readInstalledApp());
  const database = settings.engine === 'sqlite' ? createSqlite() : await createPostgres();
  await subscribe(slack, database.url, settings);
  const environment = {
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_APP_TOKEN: slack.appToken,
    SLACK_API_URL: slack.apiUrl,
    PLATFORM_BASE_URL: platform.baseUrl,
    PLATFORM_APP_URL: platform.baseUrl,
    PLATFORM_API_KEY: platform.apiKey,
    DATABASE_URL: database.url,
    PORT: '0',
    MANAGERS: 'morgan.manager@acme.example',
    // As in production: processes beat by the time of the store, and one that did not beat for an hour counts as gone.
    TEST_STORE_TIME: 'own',
    ...IMAGE.environment,
  };
  const bots: BotProcess[] = [];
  for (let index = 0; index < settings.processes; index += 1)
    bots.push(await startBotProcess(environment, SEVEN, IMAGE.nodeOptions));
  return {
    slack,
    bots,
    database,
    moveTo: (now) => {
      clock.moveTo(now);
      for (const bot of bots) bot.moveTo(now);
    },
    stop: async () => {
      await Promise.all(bots.map((bot) => bot.stop()));
      await slack.close();
      clock.dispose();
      await database.drop();
    },
  };
}

/** Each digest has a channel of its own. Every second digest has all sections. Watches use channels of digests. */
async function subscribe(slack: SandboxSlack, url: string, scaleSettings: ScaleSettings): Promise<void> {
  const { digests, watches } = scaleSettings;
  const store = await openStore(url);
  const channels: string[] = [];
  for (let index = 0; index < digests; index += 1) {
    const { id: channel } = await slack.control.addChannel({ name: `team-${index}`, members: ['ada', 'app'] });
    channels.push(channel);
    const settings = index % 2 === 0 ? {} : { sections: SECTIONS };
    for (const hour of hoursOf(scaleSettings)) {
      const schedule = { days: EVERY_DAY, at: `${twoDigits(hour)}:00`, zone: 'UTC' };
      const id = `t${index}at${twoDigits(hour)}`;
      await putSubscription(store.db, { id, kind: 'digest', channel, schedule, settings }, SEVEN);
    }
  }
  await store.db.transaction().execute(async (trx) => {
    for (const channel of channels.slice(0, watches)) {
      const watch = { kind: 'usage', channel, subject: '', filter: {}, owner: null, since: null, detail: null };
      await startChannelSubscription(trx, watch, SEVEN);
    }
  });
  await store.close();
}
