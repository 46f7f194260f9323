import { z } from 'zod';
import packageJson from '../../../../package.json' with { type: 'json' };
import { withinTime } from '../../../core/base/time/turns.ts';
import { reportError } from '../../../core/slack/blocks/faults.ts';
import { structuredAnswerSchema } from '../answers/structured-answer.ts';
import type { ToolDeps } from '../ask-deps.ts';
import { callTool, type ToolAnswer, type ToolCaller } from './call-tool.ts';
import { blocksForSlackbot } from './slack-blocks.ts';
import { nextCalls } from './next-calls.ts';
import { TOOLS, type Tool, type ToolArguments } from './tools.ts';

/** How a call reached the server: for Slackbot each call names its person; a token belongs to one. */
export type Door = ({ kind: 'slack' } | { kind: 'token'; slackId: string }) & {
  /** Whether the client said that it draws Slack’s blocks. Slackbot may have said it to another replica. */
  saidBlockKit: boolean;
};

const drawsBlocks = (door: Door) => door.kind === 'slack' || door.saidBlockKit;

const INSTRUCTIONS = [
  'Read-only figures of Quartermaster about the use of coding agents: credits, limits, budgets, readiness of repositories, computers and enterprise controls.',
  'Days are UTC, and amounts are Standard Credits. Repeat numbers exactly, with their period.',
  'No tool changes anything: to request a credit limit, the person types /limits request in Slack.',
].join(' ');

/** Slack waits 60 seconds for a tool. */
const MAX_ANSWER_MS = 20_000;
const LATE: ToolAnswer = {
  kind: 'fault',
  text: 'Reading the figures takes longer than usual. Ask again in a minute.',
};
const LIST_LIFE_MS = 3_600_000;

const slackIdentity = z.object({
  slack: z.object({
    user_id: z.string().max(50),
    team_id: z.string().max(50),
    enterprise_id: z.string().max(50).nullish(),
  }),
});

export interface McpHandler {
  fetch(request: Request, door: Door): Promise<Response>;
  close(): Promise<void>;
}

/**
 * Serves both eras of the protocol. The package is loaded here and not at the start of the program, because it needs
 * 13 MB that most installations do not use.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28
 */
export async function createMcpServer(deps: ToolDeps): Promise<McpHandler> {
  const { createMcpHandler, McpServer } = await import('@modelcontextprotocol/server');
  const doors = new Map<string, Door>();
  const serve = (door: Door) => {
    const listed = { ttlMs: LIST_LIFE_MS, cacheScope: 'private' as const };
    const server = new McpServer(
      { name: 'quartermaster', title: 'Quartermaster', version: packageJson.version },
      {
        instructions: INSTRUCTIONS,
        // By default, clients would hold a stream for changes of the tools, which never come.
        capabilities: { tools: { listChanged: false } },
        cacheHints: { 'tools/list': listed, 'server/discover': listed },
      },
    );
    for (const tool of TOOLS) {
      server.registerTool(
        tool.name,
        {
          title: tool.title,
          description: tool.description,
          inputSchema: tool.arguments,
          outputSchema: structuredAnswerSchema,
          annotations: { title: tool.title, readOnlyHint: true, openWorldHint: false },
          ...(drawsBlocks(door) ? { _meta: { slack: { supportsBlockKit: true } } } : {}),
        },
        async (given, { mcpReq }) => {
          const caller = callerOf(door, mcpReq._meta, deps.teamId);
          if (caller.kind === 'refused') return resultOf({ kind: 'fault', text: caller.sentence }, []);
          const pending = answerOrFault(deps, tool, callTool(deps, tool, given, caller));
          const answer = await withinTime(deps.clock, MAX_ANSWER_MS, pending, LATE);
          return resultOf(answer, blocksFor(answer, door, tool, given));
        },
      );
    }
    return server;
  };
  const handler = createMcpHandler(
    ({ authInfo }) => {
      const door = doors.get(authInfo?.clientId ?? '');
      if (!door) throw new Error('A request to the tools came through no door');
      return serve(door);
    },
    {
      // Nothing here changes, so no client needs a stream of changes.
      maxSubscriptions: 1,
      keepAliveMs: 0,
      onerror: (error) => deps.log.debug({ err: error }, 'Refused a request to the tools'),
    },
  );
  let calls = 0;
  return {
    fetch: async (request, door) => {
      calls += 1;
      const clientId = String(calls);
      doors.set(clientId, door);
      try {
        return await handler.fetch(request, { authInfo: { token: '', clientId, scopes: [] } });
      } finally {
        doors.delete(clientId);
      }
    },
    close: () => handler.close(),
  };
}

/** The package would answer with the text of an error as it is, whoever wrote it, and log nothing. */
async function answerOrFault(
  { log }: ToolDeps,
  { name: tool }: Tool,
  answer: Promise<ToolAnswer>,
): Promise<ToolAnswer> {
  try {
    return await answer;
  } catch (error) {
    const { sentence, reference } = reportError(error, log, { tool });
    return { kind: 'fault', text: `${sentence} Reference: ${reference}` };
  }
}

type Caller = ({ kind: 'caller' } & ToolCaller) | { kind: 'refused'; sentence: string };

function callerOf(door: Door, meta: unknown, teamId: string): Caller {
  if (door.kind === 'token') return { kind: 'caller', slackId: door.slackId, client: 'token' };
  const identity = slackIdentity.safeParse(meta).data?.slack;
  if (!identity) return { kind: 'refused', sentence: 'Slack did not say who asks, or in which workspace.' };
  if (identity.team_id !== teamId)
    return { kind: 'refused', sentence: 'This person asks from another workspace than the one of Quartermaster.' };
  return { kind: 'caller', slackId: identity.user_id, client: 'slackbot' };
}

/** Buttons only for a client that said what it does with a click. */
function blocksFor(answer: ToolAnswer, door: Door, tool: Tool, given: Partial<ToolArguments>): object[] {
  if (answer.kind === 'fault' || !drawsBlocks(door)) return [];
  return blocksForSlackbot(answer.messages, door.saidBlockKit ? nextCalls(tool, given, answer.messages) : []);
}

function resultOf(answer: ToolAnswer, blocks: readonly object[]) {
  if (answer.kind === 'fault') return { isError: true, content: [{ type: 'text' as const, text: answer.text }] };
  return {
    content: [{ type: 'text' as const, text: answer.text }],
    structuredContent: answer.structured,
    ...(blocks.length > 0 ? { _meta: { slack: { blocks } } } : {}),
  };
}
