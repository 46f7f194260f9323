/** `npm run record`: records the animated picture of the README from a fresh demo in a browser. */
import { statSync } from 'node:fs';
import { hasChromium, launchChromium } from '../support/chromium.ts';
import { recordApproval } from './record-approval.ts';

const path = new URL('../../docs/approval.gif', import.meta.url).pathname;
if (!hasChromium()) process.exit(1);
const browser = await launchChromium();
try {
  const frames = await recordApproval(browser, path);
  process.stdout.write(`${frames} frames, ${Math.ceil(statSync(path).size / 1_024)} KB\n`);
} finally {
  await browser.close();
}
