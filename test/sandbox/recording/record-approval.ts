import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { startDemo } from '../../../src/sandbox/demo/demo.ts';
import { createDesk } from '../../e2e/jobs/desk.ts';
import { createAnimation } from './animation.ts';

/** A Tuesday morning, with the figures of the day before. */
const START = new Date('2026-11-24T07:30:00Z');
export const APPROVAL = 'docs/approval.gif';
export const PAGE = { viewport: { width: 960, height: 600 }, timezoneId: 'UTC', locale: 'en-US' };
const GLANCE_MS = 900;
const READ_MS = 2_600;

/** The texts of the animated picture when it was recorded, by which a test notices that the bot says something else now. */
export const ANIMATED_TEXTS = 'test/sandbox/recording/animated-texts.json';

/** Without ids, which are random, and times, which differ by the minutes that a recording takes. */
const lastingText = (text: string) =>
  text.replaceAll(/\b\d{1,2}:\d{2} [AP]M\b/g, '(time)').replaceAll(/\b(request(?: is)?) [a-z\d]{5}\b/gi, '$1 (id)');

/**
 * Plays request, approval and answer in the page of a fresh demo.
 *
 * @param frame called when the page shows something worth this long a look
 * @returns what forms and messages say, in order
 */
export async function playApproval(page: Page, frame: (shownMs: number) => Promise<void>): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'quartermaster-recording-'));
  const options = { people: 60, seed: 1, port: 0, folder, startAt: START, isFurnished: true };
  const demo = await startDemo(options, (reason) => {
    throw new Error(reason);
  });
  const texts: string[] = [];
  const sees = async (text: Promise<string>, shownMs: number) => {
    texts.push(lastingText(await text));
    await frame(shownMs);
  };
  try {
    const desk = createDesk(page, demo);
    await page.addInitScript(`localStorage.setItem('sandbox-hints-dismissed', 'yes')`);
    await page.goto(demo.address);
    await desk.be('mia');
    await desk.open('general');
    await page.getByTestId('composer').fill('/limits request');
    await frame(GLANCE_MS);
    await sees(desk.openForm('/limits request', /New limit/), GLANCE_MS);
    await desk.fillForm({ 'New limit': '6m', 'Why?': 'Release week' });
    await frame(READ_MS);
    await desk.submit();
    await sees(desk.seesForm(/Your request is/), GLANCE_MS);
    await desk.close();
    await desk.be('ada');
    await desk.open('dm');
    await sees(desk.sees(/requests a credit limit of 6 M/), READ_MS);
    await desk.press('Review');
    await sees(desk.seesForm(/New limit for/), READ_MS);
    await desk.submit();
    await sees(desk.seesForm(/approved by/), GLANCE_MS);
    await desk.close();
    await sees(desk.sees(/6 M set/), READ_MS);
    await desk.be('mia');
    await desk.open('dm');
    await sees(desk.sees(/limit is now 6 M/), 2 * READ_MS);
    return texts;
  } finally {
    await demo.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @returns the number of frames */
export async function recordApproval(browser: Browser, root: string): Promise<number> {
  const page = await browser.newPage(PAGE);
  const decoder = await browser.newPage();
  try {
    const animation = createAnimation(page, decoder);
    const texts = await playApproval(page, (shownMs) => animation.frame(shownMs));
    writeFileSync(join(root, APPROVAL), await animation.encode());
    writeFileSync(join(root, ANIMATED_TEXTS), `${JSON.stringify(texts, null, 2)}\n`);
    return animation.count();
  } finally {
    await page.close();
    await decoder.close();
  }
}
