import type { WebClient } from '@slack/web-api';
import { mrkdwnOf } from '../../base/text/markup.ts';
import type { Logger } from '../../base/log.ts';
import type { OutgoingMessage } from '../../outbox/poster.ts';
import { readSlackFault } from '../client/errors.ts';
import { isContentRefusal } from '../client/refusal-codes.ts';
import { type ChartSupport, sendFullestForm } from '../outbound/safe-message.ts';
import type { DirectedMessage } from '../interactions/directed-messages.ts';
import type { Reply } from '../outbound/reply.ts';

/**
 * Answers a message: in direct messages with a message, in a channel with one that only the person sees. If the bot is
 * not in that channel, the answer is a direct message.
 */
export function createMessageReply(
  deps: { interactive: WebClient; charts: ChartSupport; log: Logger },
  { slackId, channel, isDirect, threadTs }: Pick<DirectedMessage, 'slackId' | 'channel' | 'isDirect' | 'threadTs'>,
): Reply {
  const place = { channel, ...(threadTs === undefined ? {} : { thread_ts: threadTs }) };
  const post = async (form: OutgoingMessage): Promise<boolean> => {
    const { text, names: _names, sums: _sums, ...rest } = form;
    const body = { ...place, ...rest, text: mrkdwnOf(text) };
    try {
      if (isDirect) await deps.interactive.apiCall('chat.postMessage', body);
      else await deps.interactive.apiCall('chat.postEphemeral', { ...body, user: slackId });
      return false;
    } catch (error) {
      const fault = readSlackFault(error);
      if (fault.kind === 'refused' && isContentRefusal(fault.code)) return true;
      if (fault.kind !== 'refused' || isDirect) throw error;
      deps.log.info({ code: fault.code }, 'A mention is answered by direct message');
      await deps.interactive.apiCall('chat.postMessage', { ...rest, channel: slackId, text: mrkdwnOf(text) });
      return false;
    }
  };
  const show = async (message: OutgoingMessage) => {
    const trying = { ...deps, mayTryLargeTables: true };
    const areRefused = await sendFullestForm(message, trying, async (form) => {
      const areBlocksRefused = await post(form);
      return { areBlocksRefused, outcome: areBlocksRefused };
    });
    if (areRefused) throw new Error('Slack refused every form of an answer');
  };
  // The answer’s own button shares it with the channel.
  return { progress: () => {}, end: () => {}, show, add: show, share: show };
}
