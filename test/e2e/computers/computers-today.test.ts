import { afterEach, beforeEach, expect, test } from 'vitest';
import { askForComputer, computerForm, computersNamed, createRequests, watches } from '../../support/computers.ts';
import { everythingIn, typeCommand } from '../../support/slack/conversation.ts';
import { submitForm, textOfView } from '../../support/slack/modals.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

let scene: TestApp;
beforeEach(async () => {
  scene = await startTestApp({ platform: { edition: 'today' } });
});
afterEach(() => scene.close());

const created = (name: string) => computersNamed(scene.platform, name);

test('a name that the platform refuses comes back with one that it takes, and its reason', async () => {
  const refused = await askForComputer(scene, { name: 'Night Build', provider: 'hosted' });
  expect(refused).toContain('Night Build was not created.');
  expect(refused).toContain('lowercase letters, digits and hyphens only');
  expect(refused).toContain('night-build');
  const again = computerForm({ name: 'night-build', provider: 'hosted' });
  expect(textOfView(await submitForm(scene.slack, 'mia', again))).toContain('The platform is creating night-build');
  expect(await created('night-build')).toHaveLength(1);
  const sent = scene.platform.requests.findLast(({ method }) => method === 'POST');
  // The platform lists its own machines under this name.
  expect(sent?.body).toMatchObject({ provider: 'e2b' });
});

test('the list asks for the steps that it comes without, and says whose computers it has', async () => {
  const list = everythingIn(await typeCommand(scene.slack, 'ada', '/computers', ''));
  expect(list).toContain('Install dependencies');
  expect(list).toContain('the computers that the platform shows to the owner of Quartermaster’s API key');
  const before = scene.platform.requests.length;
  await typeCommand(scene.slack, 'ada', '/computers', '');
  const lists = scene.platform.requests.slice(before).filter(({ path }) => path === '/api/v0/computers');
  expect(lists.map(({ query }) => query)).toEqual([{ includeProvisioningSteps: 'true' }]);
});

test('a computer whose answer was lost is found, although the platform gave it an account of its own', async () => {
  scene.platform.faults.add({ match: { method: 'POST', path: '/api/v0/computers' }, kind: 'drop_after', times: 1 });
  const said = await askForComputer(scene, { provider: 'hosted' });
  expect(said).toContain('The platform is creating night-build');
  expect(await created('night-build')).toHaveLength(1);
  expect(createRequests(scene)).toBe(1);
  expect(await watches(scene)).toMatchObject([{ state: 'following' }]);
});
