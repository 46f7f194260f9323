import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Gallery } from '../../../src/sandbox/page/shot.ts';
import { PICTURED_TEXTS, pictureTexts } from '../recording/record-screens.ts';
import { readText } from '../../repository/parsing/sources.ts';
import { measureHeights, PHONE } from '../../../src/sandbox/gallery/heights.ts';
import { hasChromium, launchChromium, visit } from '../../support/chromium.ts';
import { startGallery } from '../../support/gallery.ts';

/** The content of `npm run gallery`: every screen of the real bot, drawn in a browser. */
describe.skipIf(!hasChromium())('the gallery', () => {
  let gallery: Gallery;
  let address: string;
  let stop: (() => Promise<void>) | undefined;
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
    ({ gallery, address, stop } = await startGallery());
  }, 480_000);
  afterAll(async () => {
    await browser.close();
    await stop?.();
  });

  test('names each screen and state once', () => {
    const names = gallery.shots.map(({ screen, state }) => `${screen}: ${state}`);
    expect(names.length).toBeGreaterThan(80);
    expect(new Set(names).size).toBe(names.length);
  });

  test('shows what the pictures of the documents show; otherwise, take them again with npm run record', () => {
    expect(pictureTexts(gallery.shots)).toEqual(JSON.parse(readText(PICTURED_TEXTS)));
  });

  test.for([
    [390, 'light'],
    [390, 'dark'],
    [1280, 'light'],
    [1280, 'dark'],
  ] as const)(
    'at %d px, %s, draws each without an error, and none wider than its frame',
    async ([width, colorScheme]) => {
      const context = await browser.newContext({ viewport: { width, height: 844 }, colorScheme });
      const { page, complaints } = await visit(context, address);
      const shots = page.getByTestId('shot');
      await shots.last().waitFor();
      expect(await shots.count()).toBe(gallery.shots.length);
      expect(complaints).toEqual([]);
      expect(await page.locator('.undrawn').count()).toBe(0);
      expect(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')).toBeLessThanOrEqual(0);
      const wide = await page
        .locator('.shot-frame')
        .evaluateAll((frames) =>
          frames.filter((frame) => frame.scrollWidth > frame.clientWidth + 1).map((frame) => frame.parentElement?.id),
        );
      expect(wide).toEqual([]);
      await context.close();
    },
  );

  test('shows a member’s App Home within one screen of a phone', async () => {
    const heights = await measureHeights(browser, address);
    expect(heights.filter(({ title }) => title.startsWith('Home a member')).map(({ height }) => height)).toEqual([
      expect.toSatisfy((height: number) => height <= PHONE.height),
    ]);
  });

  // Such an answer leaves its first lines in view while somebody reads the last one.
  test('shows an admin’s status and the history of the controls within little more than a screen of a phone', async () => {
    const heights = await measureHeights(browser, address);
    const read = heights.filter(({ title }) =>
      ['/quartermaster ', '/controls history'].some((start) => title.startsWith(start)),
    );
    expect(read.length).toBeGreaterThan(12);
    expect(read.filter(({ height }) => height > 1.2 * PHONE.height)).toEqual([]);
  });

  test('shows times in the reader’s past, never tomorrow', async () => {
    const context = await browser.newContext();
    const { page } = await visit(context, address);
    await page.getByTestId('shot').last().waitFor();
    const texts = await page.locator('.shot-frame').allTextContents();
    expect(texts.filter((text) => /\bread today/i.test(text)).length).toBeGreaterThan(5);
    const tooEarly = texts.flatMap(
      (text) => text.match(/\b(?:read|corrected|sent|set|asked|posted) tomorrow.*/gi) ?? [],
    );
    expect(tooEarly).toEqual([]);
    await context.close();
  });

  test('reaches each control by keyboard, and gives it a name', async () => {
    const context = await browser.newContext();
    const { page } = await visit(context, address);
    await page.getByTestId('shot').last().waitFor();
    // Runs in the page, whose globals are unknown to the tests.
    const nameless: unknown = await page.evaluate(`
      [...document.querySelectorAll('.shot :is(button, input, select, textarea, a)')]
        .filter((control) => {
          const labelled = (control.getAttribute('aria-labelledby') ?? '').split(' ')
            .some((id) => document.getElementById(id)?.textContent.trim());
          const name = control.textContent.trim() || control.getAttribute('aria-label') || control.title;
          const isNamed = name || labelled || (control.labels ?? []).length > 0;
          return control.closest('[hidden], [inert]') === null && (!isNamed || control.tabIndex < 0);
        })
        .map((control) => control.closest('.shot').id + ': ' + control.outerHTML.slice(0, 160))
    `);
    expect(nameless).toEqual([]);
    await context.close();
  });
});
