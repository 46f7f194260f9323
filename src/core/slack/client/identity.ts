import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import { askAuthTest, noWorkspaceSentence, teamIdOf } from './auth-test.ts';
import { RATE_LIMITED, waitAskedMs } from '../../base/time/back-off.ts';
import { readSlackFault } from './errors.ts';

export interface BotIdentity {
  teamId: string;
  botUserId: string;
  botId: string | undefined;
}

/** The message is one sentence for the operator. */
export class SlackStartError extends Error {
  override readonly name = 'SlackStartError';
}

/** @throws SlackStartError if the token is not accepted or belongs to no workspace, or if Slack cannot be reached */
export async function readIdentity(lookups: WebClient): Promise<BotIdentity> {
  const answer = await askAuthTest(lookups).catch((error: unknown) => {
    throw new SlackStartError(explain(error), { cause: error });
  });
  const teamId = teamIdOf(answer);
  if (teamId === undefined) throw new SlackStartError(noWorkspaceSentence(answer));
  return { teamId, botUserId: answer.user_id, botId: answer.bot_id ?? undefined };
}

function explain(error: unknown): string {
  if (error instanceof z.ZodError) return 'What answers at SLACK_API_URL is not Slack’s Web API: correct it.';
  const fault = readSlackFault(error);
  switch (fault.kind) {
    case 'refused':
      return `Slack does not accept SLACK_BOT_TOKEN (${fault.code}): copy the Bot User OAuth Token again.`;
    case 'rate_limited':
      return `Slack is getting too many requests: start again in ${Math.ceil(waitAskedMs(fault.askedMs, RATE_LIMITED.firstMs) / 1000)} s.`;
    case 'not_sent':
    case 'unknown':
      return `Slack cannot be reached: check the network and SLACK_API_URL. ${fault.detail}.`;
    default:
      return fault satisfies never;
  }
}
