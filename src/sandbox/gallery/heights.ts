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

/** The number of screens that are listed because they grew. */
const MOST_GROWN = 60;

/** The heights of a gallery, beside those of another version whose gallery is served elsewhere. */
export function describeHeights(heights: readonly ScreenHeight[], others: readonly ScreenHeight[]): string[] {
  const before = new Map(others.map(({ title, height }) => [title, height]));
  const growth = heights
    .map((screen) => ({ ...screen, grown: screen.height - (before.get(screen.title) ?? screen.height) }))
    .toSorted((a, b) => b.grown - a.grown || b.height - a.height);
  const inBoth = heights.filter(({ title }) => before.has(title));
  const there = inBoth.map(({ title }) => ({ title, height: before.get(title) ?? 0 }));
  return [
    `Here:  ${summaryOf(inBoth)}`,
    `There: ${summaryOf(there)}`,
    ...growth.slice(0, MOST_GROWN).map(({ title, height, grown }) => `${height} px (+${grown})  ${title}`),
  ];
}

function summaryOf(heights: readonly ScreenHeight[]): string {
  const sorted = heights.map(({ height }) => height).toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.ceil(sorted.length * share) - 1] ?? 0;
  return `${sorted.length} screens at ${PHONE.width} px: median ${at(0.5)} px, 90% ${at(0.9)} px, highest ${at(1)} px`;
}
