import type { KyselyPlugin } from 'kysely';
import { describe, expect, test } from 'vitest';
import { availableEngines } from '../../support/stores/databases.ts';
import { setScene, type OutboxScene } from '../../support/outbox/outbox-scene.ts';

/** A connection that is killed once, after its statement has taken effect: the answer never arrives. */
function killedOnce(isMeant: (row: Record<string, unknown>) => boolean): KyselyPlugin {
  let isKilled = false;
  return {
    transformQuery: ({ node }) => node,
    transformResult: ({ result }) => {
      const isHit = !isKilled && result.rows.some(isMeant);
      if (!isHit) return Promise.resolve(result);
      isKilled = true;
      return Promise.reject(new Error('Connection terminated unexpectedly'));
    },
  };
}

/** The worker looks again some seconds after a fault of the store, and the clock of the scene is stopped. */
async function afterPokes<Value>({ outboxes }: OutboxScene, outcome: Promise<Value>): Promise<Value> {
  const patience = setInterval(() => outboxes[0]?.poke(), 20);
  return outcome.finally(() => clearInterval(patience));
}

describe.each(availableEngines())('a claim whose answer is lost, on %s', (engine) => {
  test('holds its channel until the process looks again, and not for the whole lease', async () => {
    const scene = await setScene(engine, {
      plugins: [killedOnce(({ key, state }) => key === 'a' && state === 'claimed')],
    });
    await scene.enqueue('a');
    await scene.enqueue('b');
    await afterPokes(scene, scene.settled('a', 'sent'));
    scene.advance(1_000);
    await scene.settled('b', 'sent');
    expect(scene.channel.posted.map(({ key }) => key)).toEqual(['a', 'b']);
    expect((await scene.state('a')).attempts).toBe(2);
  });

  test('is not taken from the attempt that runs in the same process', async () => {
    const scene = await setScene(engine, {
      plugins: [killedOnce(({ key, state }) => key === 'b' && state === 'claimed')],
    });
    const running = Promise.withResolvers<void>();
    const isPosting = Promise.withResolvers<void>();
    scene.channel.onPost = async (key) => {
      if (key !== 'a') return;
      isPosting.resolve();
      await running.promise;
    };
    await scene.enqueue('a');
    await isPosting.promise;
    await scene.enqueue('b', 'C2');
    await afterPokes(scene, scene.settled('b', 'sent'));
    running.resolve();
    await scene.settled('a', 'sent');
    expect(scene.channel.posted.map(({ key }) => key)).toEqual(['b', 'a']);
    expect((await scene.state('a')).attempts).toBe(1);
  });
});
