import type { Browser } from 'playwright-core';

/** The screen of a common phone, in CSS pixels. */
export const PHONE = { width: 390, height: 844 };

export interface ScreenHeight {
  /** The screen and its state. */
  title: string;
  height: number;
}

/** @returns the height of each screen of a gallery in CSS pixels, with its frame */
export async function measureHeights(browser: Browser, address: string): Promise<ScreenHeight[]> {
  const page = await browser.newPage({ viewport: PHONE });
  try {
    await page.goto(address);
    const shots = page.getByTestId('shot');
    await shots.last().waitFor();
    return await shots.evaluateAll((all) =>
      all.map((shot) => {
        const frame = shot.querySelector('.shot-frame');
        const title = shot.querySelector('h2')?.innerText ?? '';
        return { title, height: Math.round(frame?.getBoundingClientRect().height ?? 0) };
      }),
    );
  } finally {
    await page.close();
  }
}
