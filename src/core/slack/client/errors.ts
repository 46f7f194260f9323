import { WebAPIHTTPError, WebAPIPlatformError, WebAPIRateLimitedError, WebAPIRequestError } from '@slack/web-api';
import { z } from 'zod';
import { DeadlinePassedError } from '../../base/time/deadline.ts';
import { readConnectionFault } from '../../http/connection-fault.ts';
import { wordsIn } from '../../base/text/word-list.ts';

export type SlackFault =
  /** Slack answered `ok: false`: nothing was done. */
  | { kind: 'refused'; code: string; messages: string[] }
  /** `askedMs`: the wait as Slack named it, for `waitAskedMs`. */
  | { kind: 'rate_limited'; askedMs: number }
  /** The request never reached Slack. */
  | { kind: 'not_sent'; detail: string }
  /** The request may or may not have been carried out. */
  | { kind: 'unknown'; detail: string };

const DEFAULT_RETRY_AFTER_MS = 30_000;

/** Slack names these for calls that may be half done: https://docs.slack.dev/reference/methods/chat.postMessage */
const UNCERTAIN_CODES = wordsIn('internal_error fatal_error request_timeout service_unavailable operation_timeout');

/** Slack's codes are lower-case words, but web-api also turns an HTML page with status 200 into a "code". */
const CODE_SHAPE = /^[a-z][a-z0-9_.:-]{0,100}$/i;

/** @example readSlackFault(new WebAPIRateLimitedError(3)) // { kind: 'rate_limited', askedMs: 3000 } */
export function readSlackFault(error: unknown): SlackFault {
  if (error instanceof WebAPIRateLimitedError) return { kind: 'rate_limited', askedMs: error.retryAfter * 1000 };
  if (error instanceof WebAPIPlatformError) return readRefusal(error);
  if (error instanceof WebAPIHTTPError)
    return { kind: 'unknown', detail: `Slack answered with status ${error.statusCode}` };
  if (error instanceof WebAPIRequestError) {
    const { code, isNotSent, advice } = readConnectionFault(error.original);
    if (isNotSent) return { kind: 'not_sent', detail: advice ?? `Slack could not be reached (${code})` };
    return { kind: 'unknown', detail: `The connection to Slack broke (${code || error.original.name})` };
  }
  if (error instanceof z.ZodError) return { kind: 'unknown', detail: 'The answer is not from Slack’s Web API' };
  if (error instanceof DeadlinePassedError) return { kind: 'not_sent', detail: error.message };
  return { kind: 'unknown', detail: error instanceof Error ? `${error.name}: ${error.message}` : String(error) };
}

function readRefusal(error: WebAPIPlatformError): SlackFault {
  const code = error.data.error;
  if (code === 'ratelimited' || code === 'rate_limited')
    return { kind: 'rate_limited', askedMs: DEFAULT_RETRY_AFTER_MS };
  if (UNCERTAIN_CODES.has(code)) return { kind: 'unknown', detail: `Slack answered ${code}` };
  if (!CODE_SHAPE.test(code)) return { kind: 'unknown', detail: 'Slack’s answer was not JSON' };
  return { kind: 'refused', code, messages: error.data.response_metadata?.messages ?? [] };
}

const REFUSAL_SENTENCES: Record<string, string> = {
  channel_not_found:
    'The channel does not exist, or it is private and the bot is not in it: type /invite @Quartermaster there.',
  not_in_channel: 'The bot is not in the channel: type /invite @Quartermaster there.',
  is_archived: 'The channel is archived: unarchive it, or choose another.',
  restricted_action: 'The workspace does not let apps post in this channel: ask a workspace admin.',
  restricted_action_read_only_channel: 'The channel is read-only for apps: ask a workspace admin.',
  user_not_found: 'Slack does not know this person.',
  cannot_dm_bot: 'A bot cannot get direct messages from another bot.',
  user_disabled: 'The person’s account is deactivated.',
  missing_scope: 'The bot’s token lacks a scope: install the app again with the manifest of this version.',
  invalid_auth: 'Slack no longer accepts the bot’s token: install the app again and set SLACK_BOT_TOKEN.',
  token_revoked: 'The bot’s token was revoked: install the app again and set SLACK_BOT_TOKEN.',
  account_inactive: 'The bot’s account was deactivated: install the app again and set SLACK_BOT_TOKEN.',
};

export function refusalSentence(code: string): string {
  // The code may be any word, such as `constructor`.
  const knownSentence = Object.hasOwn(REFUSAL_SENTENCES, code) ? REFUSAL_SENTENCES[code] : undefined;
  return knownSentence ?? `Slack refused the message (${code}).`;
}
