import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import type { Shot } from '../../../src/sandbox/page/shot.ts';
import { linesOf } from '../../../src/sandbox/gallery/text-of-blocks.ts';
import { startGallery } from '../../support/gallery.ts';

const VIEWPORT = { width: 720, height: 900 };

/** The pictures of the documents below `docs/screens`, and the screen and state of the gallery that each shows. */
const PICTURES = {
  'budget.png': 'Budget: a threshold crossed',
  'computer.png': 'Computer card: failed',
  'controls.png': 'Revision: acknowledged',
  'corrected.png': 'Digest: corrected',
  'digest.png': 'Digest: an ordinary day',
  'home.png': 'Home: with a declared limit',
  'installed.png': '/quartermaster: with a declared limit',
  'new-digest.png': 'New digest: open',
  'request.png': 'Request: waiting, as admins see it',
  'usage.png': '/usage: last 7 days, for a manager',
} as const;

/** The texts of the pictures when they were taken, by which a test notices that one no longer shows what the bot says. */
export const PICTURED_TEXTS = 'test/sandbox/recording/pictured-texts.json';

const shotOf = (shots: readonly Shot[], title: string) => {
  const index = shots.findIndex(({ screen, state }) => `${screen}: ${state}` === title);
  const shot = shots[index];
  if (!shot) throw new Error(`The gallery has no screen “${title}”`);
  return { shot, index };
};

/** Without ids, which are random, times, which differ by the seconds that the gallery takes, and the version. */
const lastingLine = (line: string) =>
  line
    .replaceAll(/<!date\^[^>]{1,100}>/g, '(time)')
    .replaceAll(/`[a-z\d]{5}`/g, '(id)')
    .replaceAll(/\b\d+\.\d+\.\d+\b/g, '(version)');

/** The current texts of the screens that are pictured, by picture. */
export const pictureTexts = (shots: readonly Shot[]): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(PICTURES).map(([name, title]) => [name, linesOf(shotOf(shots, title).shot.blocks).map(lastingLine)]),
  );

/** Takes a picture of each of these screens, without its heading. @returns the number of pictures */
export async function recordScreens(browser: Browser, root: string): Promise<number> {
  const { gallery, address, stop } = await startGallery();
  const page = await browser.newPage({ viewport: VIEWPORT });
  try {
    await page.goto(address);
    const shots = page.getByTestId('shot');
    await shots.last().waitFor();
    for (const [name, title] of Object.entries(PICTURES)) {
      const frame = shots.nth(shotOf(gallery.shots, title).index).locator('.shot-frame');
      await frame.screenshot({ path: join(root, 'docs/screens', name) });
    }
    writeFileSync(join(root, PICTURED_TEXTS), `${JSON.stringify(pictureTexts(gallery.shots), null, 2)}\n`);
    return Object.keys(PICTURES).length;
  } finally {
    await page.close();
    await stop();
  }
}
