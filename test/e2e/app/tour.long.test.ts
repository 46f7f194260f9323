import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startDemo } from '../../../src/sandbox/demo/demo.ts';
import { everythingIn, typeCommand } from '../../support/slack/conversation.ts';
import { hasChromium, launchChromium } from '../../support/chromium.ts';

const MINUTE_MS = 60_000;

async function startFurnished(people: number, startAt = new Date('2026-03-05T15:00:00Z')) {
  const folder = mkdtempSync(join(tmpdir(), 'quartermaster-test-'));
  const options = { edition: 'today', people, seed: 1, port: 0, folder, startAt, isFurnished: true } as const;
  const demo = await startDemo(options, (reason) => {
    throw new Error(reason);
  });
  onTestFinished(async () => {
    await demo.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  return demo;
}

test('the demo has five teams of twelve that hold everyone by name, and a squad of four', async () => {
  const { slack, platform } = await startFurnished(60);
  const groups = [...slack.workspace.userGroups.values()].filter(({ handle }) => handle.endsWith('-team'));
  expect(groups.map(({ members }) => members.length)).toEqual([12, 12, 12, 12, 12]);
  expect(new Set(groups.flatMap(({ members }) => members)).size).toBe(60);
  const squad = [...slack.workspace.userGroups.values()].find(({ handle }) => handle === 'checkout-squad');
  expect(squad?.members).toHaveLength(4);
  for (const { email } of platform.organization.people)
    expect(email === null || slack.workspace.findPerson(email)).toBeTruthy();
});

test('the demo’s admin has chosen the teams, and the platform shows limits of 5 to 50 million, one nearly used up', async () => {
  const { slack, platform } = await startFurnished(60, new Date('2026-03-19T15:00:00Z'));
  const type = (as: string, command: string, text: string) => typeCommand(slack, as, command, text);
  const teams = everythingIn(await type('morgan', '/usage', 'teams'));
  for (const handle of ['web', 'payments', 'mobile', 'data', 'infra']) expect(teams).toContain(`@${handle}-team`);
  expect(teams).not.toContain('No teams yet');
  const others = [...platform.limits].filter(([email]) => email !== 'mia.member@acme.example');
  expect(others.length).toBeGreaterThanOrEqual(9);
  for (const [, limit] of others) expect(limit).toSatisfy((value: number) => value >= 5e6 && value <= 50e6);
  const { text } = await type('mia', '/usage', 'this month me');
  const [, used, limit] = /\*([\d.]+) M of your ([\d.]+) M\* this month/.exec(text) ?? [];
  expect(Number(used) / Number(limit)).toBeGreaterThan(0.85);
});

test.skipIf(!hasChromium())(
  'its three steps ask for a limit, show the request to an admin, and let the digest of the next morning come',
  async () => {
    const demo = await startFurnished(30);
    const browser = await launchChromium();
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    await page.goto(demo.address);
    const step = (title: string) => page.getByTestId('tour-step').filter({ hasText: title }).click();
    await step('Be Mia and ask');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('New limit').fill('50m');
    await dialog.getByLabel('Why?').fill('A migration');
    await dialog.getByRole('button', { name: 'Send request' }).click();
    await dialog.getByText(/Your request is/).waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await page.getByTestId('waiting-ada').waitFor();
    await step('Be Ada and approve');
    await page.getByTestId('message').filter({ hasText: 'requests a credit limit of 50 M' }).waitFor();
    await page.getByTestId('waiting-ada').waitFor({ state: 'detached' });
    await step('Tomorrow morning');
    await page.getByTestId('message').filter({ hasText: 'Daily digest, Thu 5 Mar' }).waitFor();
    await page.getByTestId('dismiss-hints').click();
    await page.getByTestId('show-hints').click();
    expect(await page.getByTestId('tour-step').count()).toBe(3);
  },
  2 * MINUTE_MS,
);
