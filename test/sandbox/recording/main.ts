/**
 * `npm run record`: records the animated picture of the README from a fresh demo in a browser, and takes all other
 * pictures of screens from the gallery.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { hasChromium, launchChromium } from '../../support/chromium.ts';
import { APPROVAL, recordApproval } from './record-approval.ts';
import { requireEmoji } from './require-emoji.ts';
import { recordScreens } from './record-screens.ts';

const ROOT = new URL('../../../', import.meta.url).pathname;
if (!hasChromium()) process.exit(1);
const browser = await launchChromium();
try {
  await requireEmoji(browser);
  const frames = await recordApproval(browser, ROOT);
  const pictures = await recordScreens(browser, ROOT);
  process.stdout.write(
    `${pictures} pictures; ${frames} frames, ${Math.ceil(statSync(join(ROOT, APPROVAL)).size / 1_024)} KB\n`,
  );
} finally {
  await browser.close();
}
