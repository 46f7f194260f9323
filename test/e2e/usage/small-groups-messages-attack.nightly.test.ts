import { afterEach, expect, test } from 'vitest';
import { createRandom } from '../../../src/sandbox/platform/model/random.ts';
import { startMessagesAttack } from '../../support/group-messages-attack.ts';
import { shareOf } from '../../support/property-runs.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

const DAYS = 40;
const SEEDS = [2, 3, 4, 5, 6, 7];

let scene: TestApp;
afterEach(() => scene.close());

test.each(shareOf(SEEDS))(
  'a manager who changes a user group learns no person’s figure from the messages of 40 days, seed %i',
  async (seed) => {
    scene = await startTestApp({ at: new Date('2026-03-03T12:00:00Z'), settings: { PEOPLE_ROLE: 'admin' } });
    const attack = await startMessagesAttack(scene, createRandom(seed));
    for (let day = 0; day < DAYS; day += 1) await attack.nextDay();
    expect(attack.findVictims()).toEqual([]);
    expect(attack.countShown()).toBeGreaterThan(5);
  },
  300_000,
);
