import { launchChromium } from '/work/clones/b/test/support/chromium.ts';
import { startGallery } from '/work/clones/b/test/support/gallery.ts';
import { measureHeights } from '/work/clones/b/src/sandbox/gallery/heights.ts';
import { writeFileSync } from 'node:fs';
const browser = await launchChromium();
const { gallery, address, stop } = await startGallery();
const h = await measureHeights(browser, address);
writeFileSync(process.argv[2] ?? '/tmp/heights.json', JSON.stringify(h));
for (const { title, height } of h) if (/^\/quartermaster|controls history|welcome|retire|again|Slackbot/i.test(title)) console.log(height, (height / 844).toFixed(2), title);
const want = (process.argv[3] ?? '').split(',').filter(Boolean);
const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
await page.goto(address);
await page.getByTestId('shot').last().waitFor();
for (const [i, w] of want.entries()) { const one = page.getByTestId('shot').filter({ has: page.locator('h2', { hasText: w }) }).first(); await one.screenshot({ path: `/tmp/shot${i}.png` }); console.log(i, w); }
await browser.close(); await stop();
process.exit(0);
