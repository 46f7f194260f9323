import type { SimulatedPlatform } from '../platform/platform.ts';
import type { SandboxSlack } from '../slack/index.ts';

/** The settings that connect a bot to a simulated Slack, by Socket Mode, and to a simulated platform. */
export const connectionSettings = (
  slack: Pick<SandboxSlack, 'botToken' | 'appToken' | 'apiUrl'>,
  platform: Pick<SimulatedPlatform, 'baseUrl' | 'appUrl' | 'apiKeys'>,
): Record<string, string> => ({
  SLACK_BOT_TOKEN: slack.botToken,
  SLACK_APP_TOKEN: slack.appToken,
  SLACK_API_URL: slack.apiUrl,
  PLATFORM_BASE_URL: platform.baseUrl,
  PLATFORM_APP_URL: platform.appUrl,
  PLATFORM_API_KEY: platform.apiKeys.manager,
});
