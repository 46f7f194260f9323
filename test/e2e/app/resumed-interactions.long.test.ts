import { expect, test } from 'vitest';
import type { Database } from '../../../src/core/store/tables.ts';
import { clickButton, typeCommand } from '../../support/slack/conversation.ts';
import { setCrashScene } from '../../support/processes/crash-scene.ts';
import { availableEngines, readDatabase } from '../../support/stores/databases.ts';
import { ask, openReview, requestOf, reviewValues, untilQuiet, untilState } from '../../support/limits/limits.ts';
import { nextView, textOfView } from '../../support/slack/modals.ts';

const MORNING = new Date('2026-03-02T09:00:05Z');
const MINUTE_MS = 60_000;

/** A bot that dies after it acknowledged the approval of a request, and before it carried out any of it. */
async function dieBeforeDeciding(engine: Parameters<typeof setCrashScene>[0]) {
  const scene = await setCrashScene(engine, MORNING, { LIMITS_CHANNEL: '#agent-usage' });
  const bot = await scene.startBot();
  const id = await ask(scene, 'mia', { amount: '9000000' });
  await untilQuiet(scene);
  await openReview(scene, 'ada', id);
  bot.dieAt('limits:before_decision');
  const { delivery } = await scene.slack.control.submit({ as: 'ada', values: reviewValues() });
  expect(delivery.inTime).toBe(true);
  await bot.ended;
  expect((await requestOf(scene, id)).state).toBe('pending');
  return { scene, id };
}

test.each(availableEngines())(
  'an acknowledged approval is carried out by the next start if the bot was killed right after it (%s)',
  async (engine) => {
    const { scene, id } = await dieBeforeDeciding(engine);
    try {
      scene.moveTo(new Date(scene.clock.now().getTime() + 3 * MINUTE_MS));
      const bot = await scene.startBot();
      await untilState(scene, id, 'applied');
      expect(scene.platform.limits.get('mia.member@acme.example')).toBe(9_000_000);
      await untilQuiet(scene);
      const db = readDatabase(scene.databaseUrl);
      await expect.poll(() => db.selectFrom('pendingInteractions').select('key').execute()).toEqual([]);
      await db.destroy();
      await bot.stop();
    } finally {
      await scene.close();
    }
  },
  180_000,
);

test('an interaction that is 20 minutes old is not carried out: the person is notified, and the modal no longer shows it as in progress', async () => {
  const { scene, id } = await dieBeforeDeciding('sqlite');
  try {
    scene.moveTo(new Date(scene.clock.now().getTime() + 20 * MINUTE_MS));
    const since = scene.slack.mark();
    const bot = await scene.startBot();
    const { message } = await scene.slack.next('message', ({ message: one }) => one.text.includes('stopped'), {
      since,
    });
    expect(message.text).toMatch(
      /^Quartermaster stopped before it finished what you sent .* Check whether it happened/,
    );
    expect(textOfView(await nextView(scene.slack, since, /Check whether/))).toContain('Check whether it happened');
    expect((await requestOf(scene, id)).state).toBe('pending');
    await bot.stop();
  } finally {
    await scene.close();
  }
}, 180_000);

test.each(availableEngines())(
  'a digest requested by a button is sent once if the bot was killed right after planning it (%s)',
  async (engine) => {
    const scene = await setCrashScene(engine, MORNING);
    const db = readDatabase(scene.databaseUrl);
    const kept = () => db.selectFrom('pendingInteractions').select('key').execute();
    try {
      const bot = await scene.startBot();
      const answer = await typeCommand(scene.slack, 'morgan', '/digest', 'list', 'general');
      bot.dieAt('outbox:after_claim');
      await clickButton(scene.slack, 'morgan', answer, 'Send now');
      await bot.ended;
      expect(await kept()).toHaveLength(1);
      scene.moveTo(new Date(scene.clock.now().getTime() + 3 * MINUTE_MS));
      const next = await scene.startBot();
      await expect.poll(kept, { timeout: 20_000 }).toEqual([]);
      await scene.untilDelivered((await planned(db))[0] ?? '');
      const keys = await planned(db);
      expect(keys).toHaveLength(1);
      const { channels } = await scene.slack.control.state({ as: 'ada' });
      const messages = channels.find(({ name }) => name === 'agent-usage')?.messages ?? [];
      const digests = messages.filter(({ metadata }) => metadata?.event_payload['key'] === keys[0]);
      expect(digests).toHaveLength(1);
      await next.stop();
    } finally {
      await db.destroy();
      await scene.close();
    }
  },
  180_000,
);

async function planned(db: Database): Promise<string[]> {
  const rows = await db.selectFrom('deliveries').select('key').where('kind', '=', 'digest').execute();
  return rows.map(({ key }) => key).filter((key) => key.startsWith('digest:settings:now:'));
}
