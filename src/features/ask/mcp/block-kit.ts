import { z } from 'zod';
import { parseJson } from '../../../core/base/text/parse-json.ts';

const NAME = 'io.slack/block-kit';

const capabilities = z.object({ extensions: z.record(z.string(), z.unknown()).default({}) });
const saying = z.object({
  method: z.string(),
  params: z.object({
    capabilities: capabilities.optional(),
    _meta: z.object({ 'io.modelcontextprotocol/clientCapabilities': capabilities.optional() }).optional(),
  }),
});

/**
 * Whether the client of a request draws Slack’s blocks, and calls a tool for a click on their buttons. Clients of 2026
 * say it in every request, those of 2025 only once. Pure.
 *
 * @returns undefined if the request does not say it
 * @see https://docs.slack.dev/ai/slackbot-mcp-client/returning-rich-responses
 */
export function saysBlockKit(body: string): boolean | undefined {
  const { method, params } = saying.safeParse(parseJson(body)).data ?? {};
  const said =
    method === 'initialize' ? params?.capabilities : params?._meta?.['io.modelcontextprotocol/clientCapabilities'];
  return said && NAME in said.extensions;
}
