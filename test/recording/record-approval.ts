import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { startDemo } from '../../src/sandbox/demo.ts';
import { createDesk } from '../jobs/desk.ts';
import { createAnimation } from './animation.ts';

/** A Tuesday morning, with the figures of the day before. */
const START = new Date('2026-11-24T07:30:00Z');
const VIEWPORT = { width: 960, height: 600 };
const GLANCE_MS = 900;
const READ_MS = 2_600;

/** Plays request, approval and answer in the page of a fresh demo. @returns the number of frames */
export async function recordApproval(browser: Browser, path: string): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'quartermaster-recording-'));
  const options = { people: 60, seed: 1, port: 0, folder, startAt: START, isFurnished: true };
  const demo = await startDemo(options, (reason) => {
    throw new Error(reason);
  });
  const page = await browser.newPage({ viewport: VIEWPORT });
  const decoder = await browser.newPage();
  try {
    const desk = createDesk(page, demo);
    const animation = createAnimation(page, decoder);
    await page.addInitScript(`localStorage.setItem('sandbox-hints-dismissed', 'yes')`);
    await page.goto(demo.address);
    await desk.be('mia');
    await desk.open('general');
    await page.getByTestId('composer').fill('/limits request');
    await animation.frame(GLANCE_MS);
    await desk.openForm('/limits request', /New limit/);
    await animation.frame(GLANCE_MS);
    await desk.fillForm({ 'New limit': '6m', 'Why?': 'Release week' });
    await animation.frame(READ_MS);
    await desk.submit();
    await desk.seesForm(/Your request is/);
    await animation.frame(GLANCE_MS);
    await desk.close();
    await desk.be('ada');
    await desk.open('dm');
    await desk.sees(/requests a credit limit of 6 M/);
    await animation.frame(READ_MS);
    await desk.press('Review');
    await desk.seesForm(/New limit for/);
    await animation.frame(READ_MS);
    await desk.submit();
    await desk.seesForm(/approved by/);
    await animation.frame(GLANCE_MS);
    await desk.close();
    await desk.sees(/6 M set/);
    await animation.frame(READ_MS);
    await desk.be('mia');
    await desk.open('dm');
    await desk.sees(/limit is now 6 M/);
    await animation.frame(2 * READ_MS);
    writeFileSync(path, await animation.encode());
    return animation.count();
  } finally {
    await page.close();
    await decoder.close();
    await demo.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
