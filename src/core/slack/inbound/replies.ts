import type { Reply } from '../outbound/reply.ts';
import type { WebClient } from '@slack/web-api';
import type { BlockMessage } from '../blocks/blocks.ts';
import { type OpenModal, messageView, sentenceView } from '../blocks/views.ts';
import type { Logger } from '../../base/log.ts';
import type { OutgoingMessage } from '../../outbox/poster.ts';
import { NOT_NEEDED, type Clock } from '../../base/time/clock.ts';
import { type ChartSupport, sendFullestForm } from '../outbound/safe-message.ts';
import { ReplyError, type PostToResponseUrl } from '../outbound/response-url.ts';
import { markup, mrkdwnOf } from '../../base/text/markup.ts';

const PROGRESS_AFTER_MS = 1_000;
/** Slack allows five uses; four are left for the answer and its simpler forms. */
const MAX_PROGRESS_USES = 1;
const PROGRESS_EVERY_MS = 3_000;

/**
 * Slack gives an address with five uses in thirty minutes. It replaces only the clicked message. Earlier answers to a
 * command stay, whatever `replace_original` says (slackapi/bolt-js#2287), so a command shows its progress once, above
 * the answer.
 *
 * @param replacesOriginal the click was on a message of ours that only this person sees, and the answer replaces it
 */
export function createReply(deps: {
  responseUrl: string;
  postToResponseUrl: PostToResponseUrl;
  replacesOriginal: boolean;
  charts: ChartSupport;
  clock: Clock;
  log: Logger;
}): Reply {
  let progressUsesLeft = MAX_PROGRESS_USES;
  let newestProgress: string | undefined;
  let isReporting = false;
  let lastSend = Promise.resolve();
  const answered = new AbortController();

  const send = (body: object) => {
    // One after another, or the progress could arrive after the answer and cover it.
    const sending = lastSend.then(() => deps.postToResponseUrl(deps.responseUrl, body));
    lastSend = sending.catch(() => undefined);
    return sending;
  };
  const showOwn = (message: OutgoingMessage) =>
    send({ response_type: 'ephemeral', replace_original: deps.replacesOriginal, ...bodyOf(message) });
  const addFor = async (reader: 'ephemeral' | 'in_channel', message: OutgoingMessage) => {
    answered.abort(NOT_NEEDED);
    await sendWithFallbacks(message, deps, (form) =>
      send({ response_type: reader, replace_original: false, ...bodyOf(form) }),
    );
  };

  const report = async () => {
    isReporting = true;
    await deps.clock.sleep(PROGRESS_AFTER_MS, answered.signal);
    while (progressUsesLeft > 0 && newestProgress !== undefined) {
      progressUsesLeft -= 1;
      const text = newestProgress;
      newestProgress = undefined;
      await showOwn({ text: markup`${text}` });
      await deps.clock.sleep(PROGRESS_EVERY_MS, answered.signal);
    }
  };

  return {
    progress: (text) => {
      newestProgress = text;
      if (isReporting || answered.signal.aborted) return;
      report().catch((error: unknown) => {
        if (!answered.signal.aborted) deps.log.warn({ err: error }, 'Showing the progress failed');
      });
    },
    end: () => answered.abort(NOT_NEEDED),
    show: async (message) => {
      answered.abort(NOT_NEEDED);
      await sendWithFallbacks(message, deps, showOwn);
    },
    add: (message) => addFor('ephemeral', message),
    share: (message) => addFor('in_channel', message),
  };
}

/** The declarations about people are for the door and not for Slack. */
const bodyOf = ({ text, names: _names, sums: _sums, ...message }: OutgoingMessage) => ({
  ...message,
  text: mrkdwnOf(text),
});

/** A message that Slack refuses would otherwise be lost. */
async function sendWithFallbacks(
  message: OutgoingMessage,
  deps: { charts: ChartSupport; log: Logger },
  send: (form: OutgoingMessage) => Promise<void>,
): Promise<void> {
  const trying = { ...deps, mayTryLargeTables: true };
  const refusal = await sendFullestForm<ReplyError | undefined>(message, trying, async (form) => {
    try {
      await send(form);
      return { areBlocksRefused: false, outcome: undefined };
    } catch (error) {
      if (!(error instanceof ReplyError) || !error.code.includes('blocks')) throw error;
      return { areBlocksRefused: true, outcome: error };
    }
  });
  if (refusal) throw refusal;
}

/** Answers a click in App Home or a modal. Slack gives no response address there, so the answer is shown as a modal. */
export function modalReply(modal: OpenModal, title: string): Reply {
  const show = (message: OutgoingMessage) => modal.show(messageView(title, message));
  return {
    // The modal already shows a loading view.
    progress: () => {},
    end: () => {},
    show,
    add: show,
    share: () => modal.show(sentenceView(title, 'There is no channel here to share this to. Run the command in one.')),
  };
}

/** Answers by direct message, for when Slack did not open a modal. */
export function directReply(interactive: WebClient, slackId: string): Reply {
  const show = ({ text }: OutgoingMessage) => postDirectly(interactive, slackId, { text, blocks: [] });
  return { progress: () => {}, end: () => {}, show, add: show, share: show };
}

export async function postDirectly(
  interactive: WebClient,
  slackId: string,
  { text, blocks }: BlockMessage,
): Promise<void> {
  const optionalBlocks = blocks.length === 0 ? {} : { blocks: [...blocks] };
  await interactive.apiCall('chat.postMessage', { channel: slackId, text: mrkdwnOf(text), ...optionalBlocks });
}
