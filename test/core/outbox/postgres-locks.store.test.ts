import { Pool } from 'pg';
import { expect, test } from 'vitest';
import { availableEngines } from '../../support/stores/databases.ts';
import { holdFirst, setScene } from '../../support/outbox/outbox-scene.ts';

test.runIf(availableEngines().includes('postgres'))(
  'a replica that hangs inside a transaction blocks its own delivery alone',
  async () => {
    const scene = await setScene('postgres', {
      times: { leaseMs: 400, historyReadsAfterMs: [40, 80, 160] },
      hasOwnTime: true,
    });
    const { hold, entered, release } = holdFirst();
    scene.channel.onPost = hold;
    await scene.enqueue('held', 'C1');
    await entered;
    const pool = new Pool({ connectionString: scene.databaseUrl, max: 1 });
    const stopped = await pool.connect();
    await stopped.query(`begin; select * from deliveries where key = 'held' for update`);
    const waited = Array.from({ length: 20 }, (_, index) => `other ${index}`);
    await Promise.all(waited.map((key) => scene.enqueue(key, key)));
    const patience = setInterval(() => scene.outboxes[0]?.poke(), 50);
    await Promise.all(waited.map((key) => scene.settled(key, 'sent')));
    await stopped.query('rollback');
    stopped.release();
    await pool.end();
    // Its first attempt learns only now that its lease is over, after the second one posted the message.
    await scene.settled('held', 'sent');
    release();
    clearInterval(patience);
    await scene.outboxes[0]?.stop();
    expect(scene.channel.posted.filter(({ key }) => key === 'held')).toHaveLength(1);
  },
);
