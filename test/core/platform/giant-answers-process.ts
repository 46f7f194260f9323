/**
 * Requests every endpoint that reads while the platform answers with 30 MB of well-formed JSON; prints the outcomes.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createPlatformClient } from '../../../src/core/platform/client.ts';
import { isPlatformError } from '../../../src/core/platform/errors.ts';
import { systemClock } from '../../../src/core/base/time/clock.ts';

const megabytes = Number(process.argv[2]);
const PERIOD = { startDate: '2026-11-01', endDate: '2026-11-07' };

/** The place of the many small values, and the list around them. */
const SHAPES: Readonly<Record<string, { head: string; item: string; tail: string }>> = {
  'empty objects in data': { head: '{"data":[', item: '{},', tail: '{}],"meta":{}}' },
  'numbers in data': { head: '{"data":[', item: '1,', tail: '1],"meta":{}}' },
  'days with a list of their own': { head: '{"data":[', item: '{"date":"2026-11-01","other":[1,2,3]},', tail: '{}]}' },
  'one day with a large list': { head: '{"data":[{"date":"2026-11-01","other":[', item: '[[]],', tail: '[]]}]}' },
  'people of the wrong shape': { head: '{"data":[{"by_user":[', item: '{"user_id":1},', tail: '{}]}]}' },
  'changes, reports and limits': { head: '{"changes":[],"reports":[],"limits":[', item: '{"a":[]},', tail: '{}]}' },
  'one long text': { head: '{"data":"', item: 'xxxxxxxxxxxxxxxx', tail: '"}' },
};

function* piecesOf({ head, item, tail }: (typeof SHAPES)[string]): Generator<string> {
  const block = item.repeat(Math.ceil(65_536 / item.length));
  yield head;
  for (let sent = 0; sent < megabytes * 1024 * 1024; sent += block.length) yield block;
  yield tail;
}

let shape = Object.values(SHAPES)[0];
const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  // The client hangs up as soon as it has read enough.
  if (shape) pipeline(Readable.from(piecesOf(shape)), response).catch(() => response.destroy());
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const address = server.address();
if (address === null || typeof address === 'string') throw new Error('No port');
const url = `http://127.0.0.1:${address.port}`;
const client = createPlatformClient({ baseUrl: url, appUrl: url, apiKey: 'key', clock: systemClock });

const CALLS: Readonly<Record<string, () => Promise<unknown>>> = {
  tokens: () => client.analytics.tokens(PERIOD),
  tokensByModel: () => client.analytics.tokensByModel(PERIOD),
  tools: () => client.analytics.tools(PERIOD),
  activity: () => client.analytics.activity(PERIOD),
  productivity: () => client.analytics.productivity(PERIOD),
  users: () => client.analytics.users(PERIOD),
  history: () => client.controls.history(),
  reports: () => client.readiness.reports(),
};

const memoryMb = () => process.memoryUsage().heapUsed / 1024 / 1024;
let highestMb = 0;
const watching = setInterval(() => (highestMb = Math.max(highestMb, memoryMb())), 5);
const idleMb = memoryMb();
const outcomes: string[] = [];
for (const [name, next] of Object.entries(SHAPES)) {
  shape = next;
  for (const [call, ask] of Object.entries(CALLS)) {
    const outcome = await ask().then(
      () => 'answer',
      (error: unknown) => (isPlatformError(error) ? error.code : String(error)),
    );
    outcomes.push(`${call}, ${name}: ${outcome}`);
  }
}
clearInterval(watching);
process.stdout.write(JSON.stringify({ outcomes, idleMb, highestMb }));
process.exitCode = 0;
server.close();
server.closeAllConnections();
await client.close();
