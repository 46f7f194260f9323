import { afterEach, expect, test } from 'vitest';
import { createRandom } from '../../../src/sandbox/platform/model/random.ts';
import { startMessagesAttack } from '../../support/group-messages-attack.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

const AT = new Date('2026-03-03T12:00:00Z');
const DAYS = 8;

let scene: TestApp;
afterEach(() => scene.close());

// The long runs are in small-groups-messages-attack.nightly.test.ts.
test('a manager who changes a user group learns no person’s figure from digests, budgets and watches', async () => {
  scene = await startTestApp({ at: AT, settings: { PEOPLE_ROLE: 'admin' } });
  const attack = await startMessagesAttack(scene, createRandom(1));
  for (let day = 0; day < DAYS; day += 1) await attack.nextDay();
  expect(attack.findVictims()).toEqual([]);
  expect(attack.countShown()).toBeGreaterThan(5);
});

// Otherwise the attack would find nothing because it does not work.
test('the same manager would learn some if MIN_GROUP is off', async () => {
  scene = await startTestApp({ at: AT, settings: { PEOPLE_ROLE: 'admin', MIN_GROUP: '1' } });
  const attack = await startMessagesAttack(scene, createRandom(1));
  for (let day = 0; day < DAYS; day += 1) await attack.nextDay();
  expect(attack.findVictims()).not.toEqual([]);
});
