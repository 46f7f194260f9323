import { afterEach, expect, test } from 'vitest';
import { createRandom } from '../../../src/sandbox/platform/model/random.ts';
import { startAttack } from '../../support/group-attack.ts';
import { propertyRuns, shareOf } from '../../support/property-runs.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

const TRIES = Math.max(250, propertyRuns(1_000));
const SEEDS = [1, 2];

let scene: TestApp;
afterEach(() => scene.close());

test.each(shareOf(SEEDS))(
  `a manager who may change user groups learns no person’s figure in ${TRIES} tries of all commands, seed %i`,
  async (seed) => {
    scene = await startTestApp({ at: new Date('2026-03-24T12:00:00Z'), settings: { PEOPLE_ROLE: 'admin' } });
    const attack = await startAttack(scene, createRandom(seed));
    for (let tries = 0; tries < TRIES; tries += 1) await attack.tryOnce();
    expect(attack.findVictims()).toEqual([]);
    expect(attack.counts().shown).toBeGreaterThan(10);
  },
  600_000,
);

// Otherwise the attack would find nothing because it does not work.
test('the same manager would learn some in twenty tries if MIN_GROUP is off', async () => {
  const settings = { PEOPLE_ROLE: 'admin', MIN_GROUP: '1' };
  scene = await startTestApp({ at: new Date('2026-03-24T12:00:00Z'), settings });
  const attack = await startAttack(scene, createRandom(1));
  for (let tries = 0; tries < 20; tries += 1) await attack.tryOnce();
  expect(attack.findVictims()).not.toEqual([]);
});
