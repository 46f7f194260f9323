import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { createLogger } from '../../../src/core/base/log.ts';
import { createSlackClients } from '../../../src/core/slack/client/clients.ts';
import { createFiles } from '../../../src/core/slack/outbound/files.ts';

const log = createLogger('fatal', [], () => {});

/** A Slack with one file; `send` answers the request that downloads it. */
async function serveFile(downloadUrl: (origin: string) => string) {
  const downloads: (string | undefined)[] = [];
  let sentBytes = 0;
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/api/')) {
      const file = { id: 'F1', size: 10, url_private_download: downloadUrl(origin) };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ ok: true, file }));
      return;
    }
    downloads.push(request.headers.authorization);
    const chunk = Buffer.alloc(64 * 1024, 'a');
    const more = () => {
      while (!response.destroyed && response.write(chunk)) sentBytes += chunk.length;
    };
    response.on('drain', more).on('error', () => {});
    more();
  }).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  const files = createFiles(createSlackClients('xoxb-1', `${origin}/api/`, log), () => Promise.resolve(), {
    recent: () => undefined,
  });
  return { files, downloads, sentBytes: () => sentBytes };
}

test('a file that is larger than announced is counted while it streams, and refused', async () => {
  const { files, sentBytes } = await serveFile((origin) => `${origin}/endless`);
  const reading = await files.read('F1', 200_000);
  expect(reading).toEqual({ kind: 'refused', sentence: 'This file is too large. Split it.' });
  expect(sentBytes()).toBeLessThan(20_000_000);
});

test('a file on another host is not requested, so the token stays here', async () => {
  const { files, downloads } = await serveFile((origin) => origin.replace('127.0.0.1', 'localhost'));
  await expect(files.read('F1', 200_000)).rejects.toThrow('not Slack’s');
  expect(downloads).toEqual([]);
});
