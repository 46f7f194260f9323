import { expect, test } from 'vitest';
import type { CheckpointName } from '../../../src/core/base/checkpoint.ts';
import { withLimits } from '../../../src/features/limits/core/limit-tables.ts';
import { askedCards, setApprovers, turnsOf } from '../../support/limits/approvers.ts';
import { ask, cardOf, untilQuiet } from '../../support/limits/limits.ts';
import { until } from '../../support/digests.ts';
import { setCrashScene, type CrashScene } from '../../support/processes/crash-scene.ts';

const MONDAY = new Date('2026-03-02T09:00:05Z');
const HOUR_MS = 3_600_000;
const DEATHS: readonly CheckpointName[] = ['limits:before_turn', 'limits:in_turn', 'limits:after_turn'];

const untilTurns = (scene: CrashScene, id: string, count: number) =>
  until(scene, async (db) => {
    const rows = await withLimits(db).selectFrom('limitTurns').select('turn').where('requestId', '=', id).execute();
    return rows.length >= count ? true : undefined;
  });

test('a bot that is killed while it hands a request on, and two that follow, ask each approver exactly once', async () => {
  const scene = await setCrashScene('sqlite', MONDAY, {
    LIMITS_CHANNEL: '#agent-usage',
    ADMINS: 'U0ADA,U0NORA,U0MAX',
  });
  try {
    scene.moveTo(MONDAY);
    let bot = await scene.startBot();
    await setApprovers(scene, 'ada', { approvers: ['U0ADA', 'U0NORA', 'U0MAX'], hours: '1' });
    const id = await ask(scene, 'mia', { amount: '700' });
    await untilTurns(scene, id, 1);
    await untilQuiet(scene);
    for (const [index, death] of DEATHS.entries()) {
      bot.dieAt(death);
      scene.moveTo(new Date(MONDAY.getTime() + (index + 1) * (HOUR_MS + 120_000)), bot);
      expect(await bot.ended).toBe('died');
      const [next, other] = await Promise.all([scene.startBot(), scene.startBot()]);
      await untilTurns(scene, id, index + 2);
      await untilQuiet(scene);
      await other.stop();
      bot = next;
    }
    expect((await turnsOf(scene, id)).map(({ approver }) => approver)).toEqual(['U0ADA', 'U0NORA', 'U0MAX', null]);
    for (const as of ['ada', 'nora', 'max']) expect(await askedCards(scene, id, as)).toHaveLength(1);
    expect((await cardOf(scene, id)).text).toContain('👉 Asked now: all admins.');
  } finally {
    await scene.close();
  }
}, 180_000);
