/**
 * Plays every screen and shows them on one page: `npm run gallery -- [--port 4100]`. With `--beside` and the address of
 * another version's gallery, it prints how high each screen is on a phone, here and there.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { z } from 'zod';
import { explainStart, fail, readArguments } from '../command-line.ts';
import { createGalleryRoutes } from '../page/page-routes.ts';
import { describeHeights, measureHeights } from './heights.ts';
import { playGallery } from './play.ts';

// The demo uses 4000 and 4001.
const portSchema = z.coerce.number().int().min(0).max(65_535).default(4_100);
const { port, beside } = readArguments(
  z.object({ port: portSchema, beside: z.url().max(200).optional() }),
  'Usage: npm run gallery -- [--port 4100] [--beside http://127.0.0.1:4101]',
);

let answer: ReturnType<typeof createGalleryRoutes> | undefined;
const server = createServer((request, response) => {
  if (answer?.(request, response)) return;
  response.writeHead(answer ? 404 : 503).end(answer ? '' : 'The screens are still being played.');
});
server.once('error', (error) => fail(explainStart(error, port, '--port.')));
// Listens before the minutes of playing, so that a taken port fails at once.
server.listen(port, '127.0.0.1');
await once(server, 'listening');

let played = 0;
const gallery = await playGallery(() => {
  played += 1;
  process.stdout.write(`\r${played} screens played`);
});
answer = createGalleryRoutes(gallery);
const bound = server.address();
const address = `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : port}`;
console.log(`\nThe gallery is at ${address}. Ctrl+C stops it.`);
if (beside !== undefined) {
  const { chromium } = await import('playwright-core');
  const browser = await chromium.launch({ executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium' });
  const [here, there] = [await measureHeights(browser, address), await measureHeights(browser, beside)];
  await browser.close();
  for (const line of describeHeights(here, there)) console.log(line);
}
