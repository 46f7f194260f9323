/**
 * `npm run record`: records the animated pictures from fresh demos in a browser, and takes all other
 * pictures of screens from the gallery.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { hasChromium, launchChromium } from '../../support/chromium.ts';
import { ANIMATIONS, recordAnimations } from './record-approval.ts';
import { requireEmoji } from './require-emoji.ts';
import { recordScreens } from './record-screens.ts';

const ROOT = new URL('../../../', import.meta.url).pathname;
if (!hasChromium()) process.exit(1);
const browser = await launchChromium();
try {
  await requireEmoji(browser);
  const frames = await recordAnimations(browser, ROOT);
  const pictures = await recordScreens(browser, ROOT);
  const sizes = ANIMATIONS.map((name) => `${name} ${Math.ceil(statSync(join(ROOT, name)).size / 1_024)} KB`);
  process.stdout.write(`${pictures} pictures; ${frames} frames, ${sizes.join(', ')}\n`);
} finally {
  await browser.close();
}
