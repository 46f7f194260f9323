import type { Engine } from '../../src/core/store/store.ts';
import type { CheckpointName } from '../../src/core/base/checkpoint.ts';
import { takeBackup } from './stores/backups.ts';
import { computerForm, computersNamed } from './computers.ts';
import { setCrashScene, type CrashScene } from './processes/crash-scene.ts';
import { readDatabase } from './stores/databases.ts';

const FIRST_MORNING = new Date('2026-03-02T09:00:05Z');
/** Longer than a lease and the time between two readings of the list. */
const AFTER_THE_LEASE_MS = 70_000;
/** A lease lasts several of these, so that running work can finish. */
const STEP_MS = 12_000;
const HALF_AN_HOUR_MS = 30 * 60_000;
const PATIENCE_MS = 30_000;

export type CreationDeath = { at: CheckpointName; answerLost?: boolean };

/** Every step of a creation at which a crash could affect it. */
export const CREATION_DEATHS: readonly CreationDeath[] = [
  { at: 'computers:order_stored' },
  { at: 'computers:before_create' },
  { at: 'computers:after_create' },
  { at: 'computers:after_create', answerLost: true },
  { at: 'computers:create_settled' },
];

/** The outcome of one order. */
export interface CreationRound {
  death: CheckpointName;
  ending: string;
  computers: number;
  /** Of the watch. */
  state: string;
  cards: number;
  notices: number;
}

/**
 * One order after another: each is submitted twice at once, the bot is killed at the given step, and the next bot
 * continues.
 */
export async function killEachCreation(engine: Engine, deaths: readonly CreationDeath[]): Promise<CreationRound[]> {
  const scene = await setCrashScene(engine, FIRST_MORNING);
  const rounds: CreationRound[] = [];
  try {
    let bot = await scene.startBot();
    for (const [round, { at, answerLost }] of deaths.entries()) {
      const name = `round-${round}`;
      await openForm(scene);
      if (answerLost)
        scene.platform.faults.add({
          match: { method: 'POST', path: '/api/v0/computers' },
          kind: 'drop_after',
          times: 1,
        });
      bot.dieAt(at);
      const submit = () => scene.slack.control.submit({ as: 'mia', values: computerForm({ name }) });
      await Promise.allSettled([submit(), submit()]);
      const ending = await bot.ended;
      await scene.slack.control.close({ as: 'mia', all: true }).catch(() => undefined);
      scene.platform.faults.clear();
      bot = await startLater(scene, AFTER_THE_LEASE_MS);
      await scene.slack.control.redeliver({}).catch(() => undefined);
      rounds.push({ death: at, ending, ...(await outcomeOf(scene, name, bot)) });
    }
    return rounds;
  } finally {
    await scene.close();
  }
}

async function openForm(scene: CrashScene): Promise<void> {
  const since = scene.slack.mark();
  await scene.slack.control.command({ as: 'mia', channel: 'general', command: '/computers', text: 'create' });
  await scene.slack.next('view_updated', ({ view }) => JSON.stringify(view.view).includes('remoteUser'), { since });
}

async function startLater(scene: CrashScene, passedMs: number) {
  scene.moveTo(new Date(scene.clock.now().getTime() + passedMs));
  return scene.startBot();
}

/** The state after the store was set back into the middle of a creation that had already ended. */
interface RestoredCreation {
  /** On the platform; messages as Slack shows them, by their subject. */
  computers: number;
  messages: Record<string, number>;
}

/**
 * Kills a bot while it creates a computer, keeps a copy of the store as it is then, lets the next bot continue, and
 * puts the copy back.
 */
export async function restoreAmidCreation(engine: Engine, at: CheckpointName): Promise<RestoredCreation> {
  const scene = await setCrashScene(engine, FIRST_MORNING);
  const name = 'night-build';
  try {
    const bot = await scene.startBot();
    await openForm(scene);
    bot.dieAt(at);
    await Promise.allSettled([scene.slack.control.submit({ as: 'mia', values: computerForm({ name }) })]);
    await bot.ended;
    await scene.slack.control.close({ as: 'mia', all: true }).catch(() => undefined);
    const backup = await takeBackup(scene.databaseUrl);
    const next = await startLater(scene, AFTER_THE_LEASE_MS);
    await outcomeOf(scene, name, next);
    await next.stop();
    await backup.restore();
    await backup.drop();
    const restored = await startLater(scene, HALF_AN_HOUR_MS);
    await outcomeOf(scene, name, restored);
    const { channels } = await scene.slack.control.state({ as: 'mia' });
    const keys = channels
      .flatMap(({ messages }) => messages)
      .map(({ metadata }) => /^computer:[^:]+:(card|notice:\w+)$/.exec(String(metadata?.event_payload['key']))?.[1])
      .filter((key) => key !== undefined);
    const messages = Object.fromEntries([...Map.groupBy(keys, (key) => key)].map(([key, all]) => [key, all.length]));
    return { computers: (await computersNamed(scene.platform, name)).length, messages };
  } finally {
    await scene.close();
  }
}

/** Advances the time until the order has a final outcome. */
async function outcomeOf(scene: CrashScene, name: string, bot: Awaited<ReturnType<CrashScene['startBot']>>) {
  const db = readDatabase(scene.databaseUrl).withTables<{
    computerOrders: { id: string; name: string; state: string };
  }>();
  const deadlineMs = performance.now() + PATIENCE_MS;
  try {
    for (;;) {
      const watch = await db
        .selectFrom('computerOrders')
        .select(['id', 'state'])
        .where('name', '=', name)
        .executeTakeFirst();
      const deliveries = await db
        .selectFrom('deliveries')
        .select(['key', 'state'])
        .where('key', 'like', `computer:${watch?.id}:%`)
        .where('state', '=', 'sent')
        .execute();
      const cards = deliveries.filter(({ key }) => key.endsWith(':card')).length;
      const notices = deliveries.filter(({ key }) => key.includes(':notice:')).length;
      if (watch && cards + notices > 0) {
        return { computers: (await computersNamed(scene.platform, name)).length, state: watch.state, cards, notices };
      }
      if (performance.now() > deadlineMs) throw new Error(`Nothing came of ${name}: ${JSON.stringify(watch)}`);
      scene.moveTo(new Date(scene.clock.now().getTime() + STEP_MS), bot);
      await new Promise((resolve) => setTimeout(resolve, 150));
    }
  } finally {
    await db.destroy();
  }
}
