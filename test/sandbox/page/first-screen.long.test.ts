import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startDemo, type Demo } from '../../../src/sandbox/demo/demo.ts';
import { hasChromium, launchChromium, visit } from '../../support/chromium.ts';

/** A newcomer looks for this long before they leave. */
const PATIENCE_MS = 10_000;

describe.skipIf(!hasChromium())('the first screen of the demo', () => {
  const folder = mkdtempSync(join(tmpdir(), 'quartermaster-first-screen-'));
  let browser: Browser;
  let demo: Demo;
  beforeAll(async () => {
    const options = { people: 60, seed: 1, port: 0, folder, startAt: new Date('2026-11-24T07:30:00Z') };
    [browser, demo] = await Promise.all([
      launchChromium(),
      startDemo({ ...options, edition: 'today', isFurnished: true }, (reason) => {
        throw new Error(reason);
      }),
    ]);
    await demo.askFirst();
  });
  afterAll(async () => {
    await browser.close();
    await demo.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test.each([
    [1280, 800],
    [390, 844],
  ])('says what this is and shows a figure within %i by %i pixels', async (width, height) => {
    const context = await browser.newContext({ viewport: { width, height } });
    onTestFinished(() => context.close());
    const { page, complaints } = await visit(context, demo.address);
    page.setDefaultTimeout(PATIENCE_MS);
    const isSeen = async (one: Locator) => {
      await one.waitFor();
      const box = await one.boundingBox();
      return box !== null && box.height > 0 && box.y >= 0 && box.y + box.height <= height && box.x + box.width <= width;
    };
    const figure = page.getByText(/[\d.]+ M credits \(about .*\), .* than on/).first();
    expect(await isSeen(figure)).toBe(true);
    expect(await isSeen(page.getByTestId('introduction'))).toBe(true);
    expect(await page.getByTestId('introduction').innerText()).toMatch(/who used how many credits.* simulated Slack/);
    for (const step of await page.getByTestId('tour-step').all()) expect(await isSeen(step)).toBe(true);
    expect(complaints).toEqual([]);
  });

  test('shows its whole title in a window of 390 pixels', async () => {
    const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
    onTestFinished(() => context.close());
    const { page } = await visit(context, demo.address);
    const title = page.getByRole('heading', { level: 1 });
    await title.waitFor();
    expect(await title.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  });
});
