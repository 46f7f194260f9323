import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { launchChromium, visit } from '../../support/chromium.ts';
import { startSamplePage, type SamplePage } from './sample-app.ts';

/** A browser at a sandbox with its page, for the tests of one file. They share one tab, because loading takes longest. */
export interface OpenPage {
  browser: Browser;
  context: BrowserContext;
  page: Page;
  /** The browser's errors since the last `enter`. */
  complaints: string[];
  sample: SamplePage;
  /** Opens a place as a person, with nothing open beside it. */
  enter: (handle: string, place: string) => Promise<void>;
}

/** Opens the page before all tests of a `describe` and closes it after them. */
export function useOpenPage(): () => OpenPage {
  let open: OpenPage | undefined;
  beforeAll(async () => {
    const [browser, sample] = await Promise.all([launchChromium(), startSamplePage()]);
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const { page, complaints } = await visit(context, `${sample.address}/?as=morgan&channel=general`);
    await page.getByTestId('dismiss-hints').click();
    const enter = async (handle: string, place: string) => {
      const close = page.getByRole('complementary').getByRole('button', { name: 'Close' });
      if ((await close.count()) > 0) await close.click();
      await page.getByTestId(`person-${handle}`).click();
      await page.locator(`[data-testid=person-${handle}][aria-pressed=true]`).waitFor();
      await page.getByTestId(place).click();
      complaints.length = 0;
    };
    open = { browser, context, page, complaints, sample, enter };
  });
  afterAll(async () => {
    await open?.browser.close();
    await open?.sample.stop();
  });
  return () => {
    if (open === undefined) throw new Error('The page is open only while a test runs');
    return open;
  };
}

/** Writes into the message field and presses Enter. */
export async function say(page: Page, text: string): Promise<void> {
  await page.getByTestId('composer').fill(text);
  await page.getByTestId('composer').press('Enter');
}

/** The last message on the page. */
export const lastMessage = (page: Page) => page.getByTestId('message').last();
