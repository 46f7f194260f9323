import { WebClient } from '@slack/web-api';
import { toWorkspaceNames } from '../../core/base/text/markup.ts';
import type { Config, Secrets } from '../../core/base/settings/config.ts';
import type { Logger } from '../../core/base/log.ts';
import { askAuthTest, noWorkspaceSentence, teamIdOf, type AuthTest } from '../../core/slack/client/auth-test.ts';
import { clientOptions } from '../../core/slack/client/clients.ts';
import type { Network } from '../../core/http/network.ts';
import { fault, ok, warning, type Finding } from './finding.ts';
import { REQUIRED_SCOPES, SCOPES_OF_TOOLS } from './required-scopes.ts';
import { declinedScopes } from '../../core/slack/client/optional-scopes.ts';
import { ask, slackFaultSentence, type SlackAnswer } from './slack-answer.ts';

export type BotFacts = AuthTest;

export const readBot = (client: WebClient): Promise<SlackAnswer<BotFacts>> => ask(() => askAuthTest(client));

/** Asks for the address of a connection, which proves the app token; nothing connects to it. */
export function readAppToken(
  { slackApiUrl }: Pick<Config, 'slackApiUrl'>,
  { slackAppToken: token }: Pick<Secrets, 'slackAppToken'>,
  log: Logger,
  network: Network,
): Promise<SlackAnswer<unknown>> | undefined {
  if (token === undefined) return undefined;
  const client = new WebClient(token, clientOptions(slackApiUrl, log, { network }));
  return ask(async () => client.apps.connections.open());
}

export function judgeBot(bot: SlackAnswer<BotFacts>, { tools, words }: Pick<Config, 'tools' | 'words'>): Finding[] {
  if (bot.kind === 'fault') {
    const isRefused = bot.fault.kind === 'refused';
    const sentence = isRefused
      ? 'Slack does not accept it: copy the Bot User OAuth Token again from "OAuth & Permissions".'
      : slackFaultSentence(bot.fault);
    return [fault('SLACK_BOT_TOKEN', sentence)];
  }
  if (teamIdOf(bot.value) === undefined) return [fault('SLACK_BOT_TOKEN', noWorkspaceSentence(bot.value))];
  const { user, team, bot_id: botId, response_metadata: metadata } = bot.value;
  if (!botId) {
    return [fault('SLACK_BOT_TOKEN', 'belongs to a person: use the Bot User OAuth Token (xoxb-…).')];
  }
  return [
    ok('SLACK_BOT_TOKEN', `is that of @${user ?? 'a bot without a name'} in ${team ?? 'a workspace without a name'}.`),
    ...judgeDeclined(metadata?.scopes, words),
    ...judgeScopes(metadata?.scopes, tools?.doors.includes('slack') ? SCOPES_OF_TOOLS : {}),
  ];
}

/** Without these the bot works: people declined them, or installed the app with an earlier manifest. */
function judgeDeclined(granted: readonly string[] | undefined, words: boolean): Finding[] {
  return declinedScopes(granted)
    .filter(([scope]) => words || scope !== OF_WORDS)
    .map(([scope, { purpose, lost }]) => {
      const instead = scope === OF_WORDS ? ', or set WORDS=false' : '';
      return warning(
        'scopes',
        `${scope} was not granted, ${purpose}. ${lost} To grant it, save the output of npm run manifest as the app's manifest and install the app again${instead}.`,
      );
    });
}

const OF_WORDS = 'app_mentions:read';

/** @param granted undefined if Slack did not report the scopes */
function judgeScopes(granted: readonly string[] | undefined, ofSettings: Readonly<Record<string, string>>): Finding[] {
  if (!granted) return [warning('scopes', 'Slack did not say which scopes the bot token has.')];
  const required = Object.entries({ ...REQUIRED_SCOPES, ...ofSettings });
  const missingScopes = required.filter(([scope]) => !granted.includes(scope));
  if (missingScopes.length === 0) return [ok('scopes', `The bot token has all ${required.length} that are needed.`)];
  return missingScopes.map(([scope, purpose]) => {
    const sentence = `${scope} is missing, ${purpose}: save the output of npm run manifest of this version as the app's manifest and install the app again.`;
    return fault('scopes', sentence);
  });
}

/** @param appToken undefined if there is none: then Slack posts to us over HTTP */
export function judgeTransport(appToken: SlackAnswer<unknown> | undefined, commandPrefix: string): Finding {
  if (!appToken) {
    return warning(
      'SLACK_SIGNING_SECRET',
      `only Slack can prove it: after the start type ${toWorkspaceNames('/usage', commandPrefix)} help. If that fails, copy the Signing Secret again and look at the address in the app’s manifest.`,
    );
  }
  if (appToken.kind === 'answer') return ok('SLACK_APP_TOKEN', 'Slack offers a Socket Mode connection.');
  if (appToken.fault.kind !== 'refused') return fault('SLACK_APP_TOKEN', slackFaultSentence(appToken.fault));
  return fault('SLACK_APP_TOKEN', appTokenSentence(appToken.fault.code));
}

function appTokenSentence(code: string): string {
  if (code === 'socket_mode_not_enabled' || code === 'forbidden_team')
    return 'Socket Mode is switched off for the app: switch it on under "Socket Mode".';
  if (code === 'missing_scope')
    return 'lacks connections:write: make an app-level token with that scope under "Basic Information".';
  return `Slack does not accept it (${code}): make an app-level token with connections:write under "Basic Information".`;
}
