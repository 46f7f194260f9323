/** Plays every screen and shows them on one page: `npm run gallery -- [--port 4001]`. */
import { createServer } from 'node:http';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { createGalleryRoutes } from '../page/page-routes.ts';
import { playGallery } from './play.ts';

const { values } = parseArgs({ options: { port: { type: 'string', default: '4001' } } });
const port = z.coerce.number().int().min(0).max(65_535).parse(values.port);

let played = 0;
const gallery = await playGallery(() => {
  played += 1;
  process.stdout.write(`\r${played} screens played`);
});
const answer = createGalleryRoutes(gallery);
const server = createServer((request, response) => {
  if (!answer(request, response)) response.writeHead(404).end();
});
server.listen(port, '127.0.0.1', () => console.log(`\nThe gallery is at http://127.0.0.1:${port}. Ctrl+C ends it.`));
