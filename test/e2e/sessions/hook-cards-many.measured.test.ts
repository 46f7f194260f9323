import { expect, onTestFinished, test } from 'vitest';
import { addClients, cardsOf } from '../../support/hooks/hook-load.ts';
import { makeTokens } from '../../support/hooks/crash-hooks.ts';
import { ends, send, startHooksApp } from '../../support/hooks/hooks.ts';
import { until } from '../../support/digests.ts';

const CARDS = 500;

test(`${CARDS} people get the card of an ended session, each once, within half a minute`, async () => {
  const scene = await startHooksApp();
  onTestFinished(() => scene.close());
  const people = await addClients(scene.slack, CARDS, 1);
  const owners = people.map(({ owner }) => owner);
  const tokens = await makeTokens(scene.databaseUrl, owners, scene.clock.now());
  const clients = people.map((one, index) => ({ ...one, token: tokens[index] ?? '' }));
  const startedMs = performance.now();
  for (const { token, sessions } of clients) {
    expect(await send(scene, token, ends(sessions[0] ?? '', 'error'))).toBe(204);
  }
  await until({ databaseUrl: scene.databaseUrl }, async (db) => {
    const cards = db.selectFrom('deliveries').select('key').where('kind', '=', 'hook-card');
    return (await cards.where('state', '=', 'sent').execute()).length === CARDS ? true : undefined;
  });
  const tookMs = performance.now() - startedMs;
  process.stdout.write(`${CARDS} cards from the first event to the last post: ${(tookMs / 1_000).toFixed(1)} s\n`);
  const cards = await cardsOf(scene.slack, clients);
  expect([...cards.values()].filter((found) => found.length !== 1)).toEqual([]);
  expect(tookMs).toBeLessThan(30_000);
});
