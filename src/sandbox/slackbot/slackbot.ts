import { z } from 'zod';
import { faultsOfBlocks } from './slackbot-blocks.ts';
import { signatureHeaders } from '../slack/transport/signature-headers.ts';

const toolAnswer = z.object({
  content: z.array(z.object({ type: z.literal('text'), text: z.string() })),
  isError: z.boolean().optional(),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
  _meta: z.object({ slack: z.object({ blocks: z.array(z.looseObject({ type: z.string() })) }) }).optional(),
});
export type ToolAnswer = z.infer<typeof toolAnswer>;

const listedTools = z.object({
  tools: z.array(
    z.looseObject({
      name: z.string(),
      annotations: z.looseObject({ readOnlyHint: z.boolean() }),
      inputSchema: z.looseObject({
        properties: z.record(z.string(), z.looseObject({ description: z.string().optional() })).default({}),
      }),
    }),
  ),
});
const rpcAnswer = z.object({ result: z.unknown().optional(), error: z.object({ message: z.string() }).optional() });

/** The person who talks to Slackbot. Slack leaves out the team in some organizations. */
export interface SlackIdentity {
  user_id: string;
  team_id: string | null;
  enterprise_id: string | null;
}

/** Slack's assistant as a client of the tools. */
export interface Slackbot {
  /** Says that it draws blocks and calls tools for clicks on their buttons, once before its questions. */
  initialize(): Promise<void>;
  listTools(): Promise<z.infer<typeof listedTools>['tools']>;
  call(tool: string, words: Readonly<Record<string, string>>, identity: SlackIdentity): Promise<ToolAnswer>;
}

/**
 * Sends what Slack's pages and Slack's own example show: signed requests of the protocol of 2025, each on its own.
 *
 * @param url the whole address of the tools
 * @see https://docs.slack.dev/ai/slackbot-mcp-client
 */
export function createSlackbot(url: string, signingSecret: string): Slackbot {
  let ids = 0;
  const ask = async (method: string, params: Record<string, unknown>): Promise<unknown> => {
    ids += 1;
    const body = JSON.stringify({ jsonrpc: '2.0', id: ids, method, params });
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...signatureHeaders(signingSecret, body),
      },
      body,
      redirect: 'manual',
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`Status ${answer.status}: ${text.trim()}`);
    const { result, error } = rpcAnswer.parse(JSON.parse(dataOf(text)));
    if (error) throw new Error(error.message);
    return result;
  };
  return {
    initialize: async () => {
      const extensions = { 'io.slack/block-kit': { mimeTypes: ['application/vnd.slack.blocks+json'] } };
      const clientInfo = { name: 'slackbot', version: '1.0.0' };
      await ask('initialize', { protocolVersion: '2025-06-18', capabilities: { extensions }, clientInfo });
    },
    listTools: async () => listedTools.parse(await ask('tools/list', {})).tools,
    call: async (name, words, slack) =>
      asShown(toolAnswer.parse(await ask('tools/call', { name, arguments: words, _meta: { slack } }))),
  };
}

/** Slackbot shows all blocks of an answer, or none. */
function asShown(answer: ToolAnswer): ToolAnswer {
  const { _meta, ...rest } = answer;
  return _meta && faultsOfBlocks(_meta.slack.blocks).length > 0 ? rest : answer;
}

/** The answer, also if it comes as the only event of a stream. */
function dataOf(text: string): string {
  const data = text.split('\n').find((line) => line.startsWith('data:'));
  return data === undefined ? text : data.slice('data:'.length);
}
