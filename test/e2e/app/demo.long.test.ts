import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startDemo, type Demo } from '../../../src/sandbox/demo/demo.ts';
import { formatCompact } from '../../../src/core/base/text/numbers.ts';
import { availableEngines, createDatabase, type TestDatabase } from '../../support/stores/databases.ts';
import { hasChromium, launchChromium } from '../../support/chromium.ts';
import { predict } from '../../support/prediction.ts';

/** A Thursday afternoon. */
const START = new Date('2026-03-05T15:00:00Z');

describe.skipIf(!hasChromium()).each(availableEngines())('the demo in a browser, its bot on %s', (engine) => {
  let browser: Browser;
  let page: Page;
  let demo: Demo;
  let database: TestDatabase;
  const folder = mkdtempSync(join(tmpdir(), 'quartermaster-test-'));

  beforeAll(async () => {
    database = await createDatabase(engine);
    const options = { people: 30, seed: 1, port: 0, folder, startAt: START, databaseUrl: database.url };
    demo = await startDemo(options, (reason) => {
      throw new Error(reason);
    });
    browser = await launchChromium();
    page = await browser.newPage();
    // On a busy machine a night takes half a minute: its clock waits for the bot at each step.
    page.setDefaultTimeout(100_000);
    await page.goto(demo.address);
  });
  afterAll(async () => {
    await browser.close();
    await demo.stop();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  const messages = () => page.getByTestId('message');

  test('a manager types /usage and sees the figures that the generator predicts', async () => {
    await page.getByTestId('person-morgan').click();
    await page.getByTestId('channel-general').click();
    await page.getByTestId('composer').fill('/usage');
    await page.getByTestId('composer').press('Enter');
    const expected = predict(demo.platform.organization, { first: '2026-02-26', last: '2026-03-04' });
    const answer = messages().filter({ hasText: 'Usage, 26 Feb – 4 Mar' });
    await answer.waitFor();
    const text = await answer.innerText();
    expect(text).toContain(`${formatCompact(expected.credits)} credits`);
    expect(text).toContain(formatCompact(expected.sessions));
    expect(text).toContain('Only visible to you');
  });

  test('a member sees the organization without names, and a click corrects a wrong word', async () => {
    await page.getByTestId('person-mia').click();
    await page.getByTestId('channel-general').click();
    await page.getByTestId('composer').fill('/usage sumary');
    await page.getByTestId('composer').press('Enter');
    await page.getByRole('button', { name: 'Run it' }).click();
    const answer = messages().filter({ hasText: 'Usage, 26 Feb – 4 Mar' });
    await answer.waitFor();
    expect(await answer.innerText()).toContain('You: ');
    expect(await answer.innerText()).not.toContain('@acme.example');
  });

  test('the next morning the digest is in the channel, once', async () => {
    await page.getByTestId('person-morgan').click();
    await page.getByTestId('channel-agent-usage').click();
    await page.getByTestId('next-morning').click();
    const digest = messages().filter({ hasText: 'Daily digest, Thu 5 Mar (UTC)' });
    await digest.waitFor();
    const expected = predict(demo.platform.organization, { first: '2026-03-05', last: '2026-03-05' });
    expect(await digest.innerText()).toContain(`${formatCompact(expected.credits)} credits on Thursday: `);
    demo.clock.moveTo(new Date(demo.clock.now().getTime() + 3 * 60 * 60_000));
    await page.getByTestId('next-morning').click();
    await messages().filter({ hasText: 'Daily digest, Fri 6 Mar (UTC)' }).waitFor();
    expect(await digest.count()).toBe(1);
  });
});
