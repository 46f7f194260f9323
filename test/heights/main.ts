/**
 * `npm run heights`: how high each screen of the gallery is on a phone.
 *
 * With an address, it compares the screens with those of another version, whose gallery is served there, and lists those
 * that grew most:
 * `npm run heights -- http://127.0.0.1:4100`.
 */
import { hasChromium, launchChromium } from '../support/chromium.ts';
import { startGallery } from '../support/gallery.ts';
import { measureHeights, PHONE, type ScreenHeight } from './measure-heights.ts';

/** The number of screens that are listed because they grew. */
const GROWN = 60;

function summaryOf(heights: readonly ScreenHeight[]): string {
  const sorted = heights.map(({ height }) => height).toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.ceil(sorted.length * share) - 1];
  return `${sorted.length} screens at ${PHONE.width} px: median ${at(0.5)} px, 90% ${at(0.9)} px, highest ${at(1)} px`;
}

if (!hasChromium()) process.exit(1);
const [other] = process.argv.slice(2);
const gallery = await startGallery();
const browser = await launchChromium();
try {
  const heights = await measureHeights(browser, gallery.address);
  console.log(summaryOf(heights));
  if (other !== undefined) {
    const others = await measureHeights(browser, other);
    const titles = new Set(others.map(({ title }) => title)).intersection(new Set(heights.map(({ title }) => title)));
    const isInBoth = ({ title }: ScreenHeight) => titles.has(title);
    console.log(`In both, there: ${summaryOf(others.filter(isInBoth))}`);
    console.log(`In both, here:  ${summaryOf(heights.filter(isInBoth))}`);
    const before = new Map(others.map(({ title, height }) => [title, height]));
    const growth = heights.map(({ title, height }) => ({
      title,
      height,
      grown: height - (before.get(title) ?? height),
    }));
    console.log('\nGrown most:');
    for (const { title, height, grown } of growth.toSorted((a, b) => b.grown - a.grown).slice(0, GROWN))
      console.log(`${height} px (+${grown})  ${title}`);
  }
  console.log('\nHighest:');
  for (const { title, height } of heights.toSorted((a, b) => b.height - a.height).slice(0, 8))
    console.log(`${height} px  ${title}`);
  console.log('\nApp Home:');
  for (const { title, height } of heights)
    if (title.startsWith('Home '))
      console.log(`${height} px  ${title}${height > PHONE.height ? ' (over a screen)' : ''}`);
} finally {
  await browser.close();
  await gallery.stop();
}
