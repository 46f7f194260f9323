import { afterEach, beforeEach, expect, test } from 'vitest';
import { messagesIn } from '../../support/digests.ts';
import { moveClock } from '../../support/scene-clock.ts';
import { setLimit } from '../../support/limits/known-limit.ts';
import { untilQuiet, untilState } from '../../support/limits/limits.ts';
import { activate, policyIdIn, writePolicy } from '../../support/limits/policies.ts';
import { approve, createTeam, requestOfMia, setMembers, startTeamApp, TEAM } from '../../support/limits/teams.ts';
import type { TestApp } from '../../support/test-app.ts';

let scene: TestApp;
beforeEach(async () => {
  scene = await startTeamApp();
});
afterEach(() => scene.close());

const summariesTo = async (as: string): Promise<string[]> =>
  (await messagesIn(scene, 'dm', as)).posts.filter(({ text }) => text.includes('📒')).map(({ text }) => text);

async function moveTo(day: string): Promise<void> {
  await moveClock(scene, new Date(`${day}T12:20:30Z`));
  await untilQuiet(scene);
}

const HEAD = '📒 *The pool of @web-team, 1–31 Mar 2026*: 100 M of 300 M granted.';

async function grantInMarch(): Promise<void> {
  await createTeam(scene);
  const id = await requestOfMia(scene, '1b');
  await approve(scene, id);
  await untilState(scene, id, 'applied');
}

test('when a period is over and its figures are settled, leads and admins get one summary of the pool', async () => {
  await setLimit(scene, { email: 'max.member@acme.example', value: 1_000, at: '2026-02-20T10:00:00.000Z' });
  setMembers(scene, ['U0MIA', 'U0NORA', 'U0MAX']);
  await grantInMarch();
  await moveTo('2026-04-02');
  expect(await summariesTo('ada')).toEqual([]);
  await moveTo('2026-04-03');
  // Nora may not see the figures of single people.
  expect(await summariesTo('nora')).toEqual([HEAD]);
  const [told] = await summariesTo('ada');
  expect(told).toContain(`${HEAD} Its members used`);
  expect(told).toMatch(/1 person used at least 80% of their limit:\n•\s+<@U0MAX>: [\d.]+ [KM] of 1 K/);
  expect(told).not.toContain('U0MIA');
  expect(await summariesTo('mia')).toEqual([]);
  // Each run of the job finds the same keys, as one after a restart or of another replica does.
  await moveTo('2026-04-04');
  for (const as of ['nora', 'ada']) expect(await summariesTo(as)).toHaveLength(1);
});

test('a lead who left the team gets no summary, and a team that began later has none', async () => {
  await grantInMarch();
  setMembers(scene, ['U0MIA']);
  await moveTo('2026-04-03');
  expect(await summariesTo('nora')).toEqual([]);
  expect(await summariesTo('ada')).toHaveLength(1);
  await activate(scene, policyIdIn(await writePolicy(scene, { ...TEAM, name: 'Late', order: '2' })), 'morgan');
  await moveTo('2026-04-04');
  expect(await summariesTo('ada')).toHaveLength(1);
});
