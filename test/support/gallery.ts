import { once } from 'node:events';
import { createServer } from 'node:http';
import { playGallery } from '../../src/sandbox/gallery/play.ts';
import type { Gallery } from '../../src/sandbox/page/shot.ts';
import { createGalleryRoutes } from '../../src/sandbox/page/page-routes.ts';

/** Plays every screen and serves them, as `npm run gallery` does. It takes about half a minute. */
export async function startGallery(): Promise<{ gallery: Gallery; address: string; stop: () => Promise<void> }> {
  const gallery = await playGallery();
  const answer = createGalleryRoutes(gallery);
  const server = createServer((request, response) => {
    if (!answer(request, response)) response.writeHead(404).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const bound = server.address();
  return {
    gallery,
    address: `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : ''}/`,
    stop: async () => {
      server.close();
      await once(server, 'close');
    },
  };
}
