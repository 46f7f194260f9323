import { expect, test } from 'vitest';
import { storeNow } from '../../../src/core/store/lease.ts';
import { setScene } from '../../support/outbox/outbox-scene.ts';
import { usualEngine } from '../../support/stores/databases.ts';

const MINUTE_MS = 60_000;

test('a message that is due for five minutes without being claimed ends the heartbeat of the outbox', async () => {
  const turns: string[] = [];
  const lines: string[] = [];
  const scene = await setScene(usualEngine(), {
    onTurn: (turn) => void turns.push(turn),
    onLogged: (line) => void lines.push(line),
  });
  const { db } = scene.store;
  const isReported = () => lines.some((line) => line.includes('A message is due, but no worker claims it'));
  // Another process holds its channel for ever.
  await scene.enqueue('held');
  await scene.settled('held', 'sent');
  const hold = () =>
    db
      .updateTable('deliveries')
      .set({ state: 'claimed', leasedBy: 'another', leasedUntil: storeNow(db, MINUTE_MS) })
      .where('key', '=', 'held')
      .execute();
  await hold();
  await scene.enqueue('late');
  for (let minute = 0; minute < 5; minute += 1) {
    expect(isReported()).toBe(false);
    scene.advance(MINUTE_MS - 1_000);
    await hold();
  }
  await expect
    .poll(async () => {
      scene.advance(5_000);
      await hold();
      return isReported();
    })
    .toBe(true);
  const before = turns.length;
  scene.advance(5_000);
  await scene.enqueue('elsewhere', 'C2');
  await scene.settled('elsewhere', 'sent');
  expect(turns).toHaveLength(before);

  await db.updateTable('deliveries').set({ state: 'sent', leasedUntil: null }).where('key', '=', 'held').execute();
  scene.advance(1_000);
  await scene.settled('late', 'sent');
  await expect.poll(() => turns.length).toBeGreaterThan(before);
});
