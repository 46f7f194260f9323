import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, request as startRequest, type Server } from 'node:http';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { personalToken, startToolsApp, type ToolsScene } from '../../support/ask/tools.ts';

const REVISIONS = ['2025-11-25', '2026-07-28'];
const baselineOf = (revision: string) =>
  new URL(`../../support/ask/expected-failures-${revision}.yml`, import.meta.url).pathname;
const SUITE = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/dist/index.js');

let scene: ToolsScene;
let door: Server;
let address: string;

/** The suite can’t send a token, so this door adds one and changes nothing else. */
async function openDoor(url: string, token: string): Promise<Server> {
  const server = createServer((request, response) => {
    const headers = { ...request.headers, authorization: `Bearer ${token}` };
    const passed = startRequest(url, { method: request.method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    passed.on('error', () => response.destroy());
    request.pipe(passed);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

beforeAll(async () => {
  scene = await startToolsApp();
  door = await openDoor(scene.toolsUrl, await personalToken(scene, 'mia'));
  const bound = door.address();
  address = `http://localhost:${typeof bound === 'object' ? bound?.port : 0}/mcp`;
});
afterAll(async () => {
  door.close();
  door.closeAllConnections();
  await scene.close();
});

async function runSuite(revision: string): Promise<{ code: number | null; output: string }> {
  const words = ['server', '--url', address, '--requirements', revision, '--expected-failures', baselineOf(revision)];
  const suite = spawn(process.execPath, [SUITE, ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [suite.stdout, suite.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  const [code] = await once(suite, 'close');
  return { code, output };
}

test.each(REVISIONS)(
  'the official suite of %s finds no other failure than the explained ones',
  async (revision) => {
    const { code, output } = await runSuite(revision);
    expect([code, code === 0 ? '' : output]).toEqual([0, '']);
  },
  180_000,
);

test.each(REVISIONS)('each expected failure of %s is explained', (revision) => {
  const text = readFileSync(baselineOf(revision), 'utf8');
  const { server } = z.object({ server: z.array(z.string()) }).parse(parse(text));
  const lines = text.split('\n').filter((line) => line.trim().startsWith('- '));
  expect(lines).toHaveLength(server.length);
  expect(lines.filter((line) => !line.includes(' # '))).toEqual([]);
});
