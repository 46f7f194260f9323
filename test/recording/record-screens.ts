import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { startGallery } from '../support/gallery.ts';

const VIEWPORT = { width: 720, height: 900 };

/** The pictures of the documents, and the titles of their screens in the gallery. */
export const PICTURES = {
  'docs/screens/installed.png': '/quartermaster with a declared limit',
  'docs/screens/new-digest.png': 'New digest open',
  'docs/screens/home.png': 'Home with a declared limit',
} as const;

/** Takes a picture of each of these screens, without its heading. */
export async function recordScreens(browser: Browser, root: string): Promise<void> {
  const gallery = await startGallery();
  const page = await browser.newPage({ viewport: VIEWPORT });
  try {
    await page.goto(gallery.address);
    const shots = page.getByTestId('shot');
    await shots.last().waitFor();
    const titles = await shots.evaluateAll((all) => all.map((shot) => shot.querySelector('h2')?.innerText ?? ''));
    for (const [path, title] of Object.entries(PICTURES)) {
      const index = titles.findIndex((one) => one.startsWith(title));
      if (index < 0) throw new Error(`The gallery has no screen ${title}; it has:\n${titles.join('\n')}`);
      await shots
        .nth(index)
        .locator('.shot-frame')
        .screenshot({ path: join(root, path) });
    }
  } finally {
    await page.close();
    await gallery.stop();
  }
}
