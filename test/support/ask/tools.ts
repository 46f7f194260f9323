import { createSlackbot, type SlackIdentity, type Slackbot } from '../../../src/sandbox/slackbot/slackbot.ts';
import { freePort } from '../processes/free-port.ts';
import { typeCommand } from '../slack/conversation.ts';
import { startTestApp, type TestApp, type TestAppOptions } from '../test-app.ts';

/** A bot that serves tools. */
export interface ToolsScene extends TestApp {
  toolsUrl: string;
  slackbot: Slackbot;
}

/** The sandbox’s own. */
export const SIGNING_SECRET = 'sandbox-signing-secret';

/** How Slack names a person of the sandbox’s workspace. */
export const identityOf = (slackId: string): SlackIdentity => ({
  user_id: slackId,
  team_id: 'T0ACME',
  enterprise_id: null,
});

export async function startToolsApp(options: TestAppOptions = {}): Promise<ToolsScene> {
  const port = await freePort();
  const MCP_URL = `http://127.0.0.1:${port}`;
  const settings = { MCP: 'slack,tokens', MCP_PORT: String(port), MCP_URL, SLACK_SIGNING_SECRET: SIGNING_SECRET };
  const app = await startTestApp({ ...options, settings: { ...settings, ...options.settings } });
  const toolsUrl = `${MCP_URL}/mcp`;
  return { ...app, toolsUrl, slackbot: createSlackbot(toolsUrl, SIGNING_SECRET) };
}

/** The personal token that is shown to a user. */
export async function personalToken({ slack }: Pick<TestApp, 'slack'>, as: string): Promise<string> {
  const answer = await typeCommand(slack, as, '/quartermaster', 'token');
  const token = /qmt_[\w-]+/.exec(answer.text)?.[0];
  if (token === undefined) throw new Error(`No token in: ${answer.text}`);
  return token;
}
