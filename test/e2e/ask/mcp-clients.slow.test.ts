import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TOOLS } from '../../../src/features/ask/mcp/tools.ts';
import { callForClick, elementsIn } from '../../../src/sandbox/slackbot/slackbot-blocks.ts';
import { identityOf, personalToken, startToolsApp, type ToolsScene } from '../../support/ask/tools.ts';
import { moveClock } from '../../support/scene-clock.ts';

let scene: ToolsScene;
let token: string;
beforeAll(async () => {
  scene = await startToolsApp();
  token = await personalToken(scene, 'morgan');
});
afterAll(async () => {
  await scene.close();
});

const ABOUT = { name: 'test-client', version: '1.0.0' };
const transportOptions = () => ({ requestInit: { headers: { authorization: `Bearer ${token}` } } });

interface Connected {
  listTools(): Promise<{ tools: { name: string; annotations?: { readOnlyHint?: boolean | undefined } | undefined }[] }>;
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

const CLIENTS: readonly [string, () => Promise<Connected>][] = [
  [
    'the official client of 2025',
    async () => {
      const client = new LegacyClient(ABOUT);
      await client.connect(new LegacyTransport(new URL(scene.toolsUrl), transportOptions()));
      return client;
    },
  ],
  [
    'the official client of 2026, with initialize',
    async () => {
      const client = new ModernClient(ABOUT);
      await client.connect(new ModernTransport(new URL(scene.toolsUrl), transportOptions()));
      return client;
    },
  ],
  [
    'the official client of 2026, without sessions',
    async () => {
      const client = new ModernClient(ABOUT, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
      await client.connect(new ModernTransport(new URL(scene.toolsUrl), transportOptions()));
      return client;
    },
  ],
];

describe.each(CLIENTS)('%s', (_, connect) => {
  test('lists the tools, all of which only read, and calls every one', async () => {
    const client = await connect();
    try {
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(TOOLS.map(({ name }) => name));
      expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);
      for (const { name } of tools) {
        const fromClient = await client.callTool({ name, arguments: {} });
        const fromSlackbot = await scene.slackbot.call(name, {}, identityOf('U0MORGAN'));
        expect(fromClient['content']).toEqual(fromSlackbot.content);
        expect(fromClient['isError']).not.toBe(true);
        expect(fromClient['structuredContent']).toEqual(fromSlackbot.structuredContent);
      }
    } finally {
      await client.close();
      await moveClock(scene, new Date(scene.clock.now().getTime() + 60_000));
    }
  });

  test('gets a correction of an unclear argument', async () => {
    const client = await connect();
    try {
      const answer = await client.callTool({ name: 'usage', arguments: { period: 'last montt' } });
      expect(answer).toMatchObject({ isError: true });
      expect(JSON.stringify(answer['content'])).toContain('Did you mean');
    } finally {
      await client.close();
    }
  });
});

test('a client gets Slack’s blocks, with buttons of tools that only read, if it says that it draws them', async () => {
  const blocksFor = async (extensions: Record<string, { mimeTypes: string[] }>) => {
    const options = { capabilities: { extensions }, versionNegotiation: { mode: { pin: '2026-07-28' } } } as const;
    const client = new ModernClient(ABOUT, options);
    await client.connect(new ModernTransport(new URL(scene.toolsUrl), transportOptions()));
    try {
      const { _meta: meta } = await client.callTool({ name: 'usage', arguments: { period: 'last week' } });
      const clicks = elementsIn(meta).flatMap((one) => callForClick(one) ?? []);
      for (const { tool, words } of clicks)
        expect((await client.callTool({ name: tool, arguments: words })).isError).not.toBe(true);
      return { isWithBlocks: meta?.['slack'] !== undefined, tools: clicks.map(({ tool }) => tool) };
    } finally {
      await client.close();
    }
  };
  expect(await blocksFor({})).toEqual({ isWithBlocks: false, tools: [] });
  expect(await blocksFor({ 'io.slack/block-kit': { mimeTypes: ['application/vnd.slack.blocks+json'] } })).toEqual({
    isWithBlocks: true,
    tools: ['usage', 'usage', 'usage'],
  });
});

test('the client of 2026 finds no way to sign in other than its token', async () => {
  const client = new ModernClient(ABOUT, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  const transport = new ModernTransport(new URL(scene.toolsUrl), {
    requestInit: { headers: { authorization: `Bearer qmt_${'A'.repeat(32)}` } },
  });
  await expect(client.connect(transport)).rejects.toThrow(/401|Unauthorized|token/i);
});
