import { RATE_LIMITED, waitAskedMs } from '../../core/base/time/back-off.ts';
import { readSlackFault, refusalSentence, type SlackFault } from '../../core/slack/client/errors.ts';

export type SlackAnswer<Value> = { kind: 'answer'; value: Value } | { kind: 'fault'; fault: SlackFault };

export async function ask<Value>(question: () => Promise<Value>): Promise<SlackAnswer<Value>> {
  try {
    return { kind: 'answer', value: await question() };
  } catch (error) {
    return { kind: 'fault', fault: readSlackFault(error) };
  }
}

export function slackFaultSentence(fault: SlackFault): string {
  switch (fault.kind) {
    case 'refused':
      return refusalSentence(fault.code);
    case 'rate_limited':
      return `Slack is getting too many requests: run the doctor again in ${Math.ceil(waitAskedMs(fault.askedMs, RATE_LIMITED.firstMs) / 1000)} s.`;
    case 'not_sent':
    case 'unknown':
      return `Slack can’t be reached: check the network and SLACK_API_URL. ${fault.detail}.`;
    default:
      return fault satisfies never;
  }
}
