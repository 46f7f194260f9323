import type { WebClient } from '@slack/web-api';
import type { BlockMessage } from '../blocks/blocks.ts';
import { type OpenModal, messageView, sentenceView } from '../blocks/views.ts';
import type { Logger } from '../../base/log.ts';
import type { OutgoingMessage } from '../../outbox/poster.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { ChartSupport } from '../outbound/chart-support.ts';
import { ReplyError, type PostToResponseUrl } from '../outbound/response-url.ts';
import { sendFullestForm } from '../outbound/safe-message.ts';
import { markup, mrkdwnOf } from '../../base/text/markup.ts';

export interface Reply {
  /** What is being done; shown if the answer takes longer than a second. Safe to call often. */
  progress(text: string): void;
  /** The answer, seen by the person alone. */
  show(message: OutgoingMessage): Promise<void>;
  /** Says something to the person beside what they see already. */
  add(message: OutgoingMessage): Promise<void>;
  /** Posts for everybody in the channel, and leaves what the person sees as it is. */
  share(message: OutgoingMessage): Promise<void>;
  /** The work is over, whether anything was said or not: no progress follows. */
  end(): void;
}

/** How long somebody looks at nothing before they are told what is being done. */
const PROGRESS_AFTER_MS = 1_000;
/** Of the five uses four are left for the answer and its simpler forms. */
const MAX_PROGRESS_USES = 1;
const PROGRESS_EVERY_MS = 3_000;

/**
 * Makes the reply to one interaction, through the address that Slack gave for it: five uses in thirty minutes.
 *
 * Slack replaces only the message that was clicked. What a command's address was used for stays as it is, whatever
 * `replace_original` says (slackapi/bolt-js#2287), so a command shows its progress once, above the answer.
 *
 * @param replacesOriginal the interaction came from a message of ours that only this person sees, and the answer takes its place
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
    // One after another, or the progress could arrive after the answer and stand over it.
    const sent = lastSend.then(() => deps.postToResponseUrl(deps.responseUrl, body));
    lastSend = sent.catch(() => undefined);
    return sent;
  };
  const showOwn = (message: OutgoingMessage) =>
    send({ response_type: 'ephemeral', replace_original: deps.replacesOriginal, ...bodyOf(message) });
  const addFor = async (reader: 'ephemeral' | 'in_channel', message: OutgoingMessage) => {
    answered.abort();
    await inSimplerForms(message, deps, (form) =>
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
        if (!answered.signal.aborted) deps.log.warn({ err: error }, 'The progress could not be shown');
      });
    },
    end: () => answered.abort(),
    show: async (message) => {
      answered.abort();
      await inSimplerForms(message, deps, showOwn);
    },
    add: (message) => addFor('ephemeral', message),
    share: (message) => addFor('in_channel', message),
  };
}

/** What a message declares about people is for the door, not for Slack. */
const bodyOf = ({ text, names: _names, sums: _sums, ...message }: OutgoingMessage) => ({
  ...message,
  text: mrkdwnOf(text),
});

/** A refused message is lost: then the next simpler form is sent. */
async function inSimplerForms(
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

/** The answer to a click in App Home or inside a modal: Slack gives no address for these, so it is shown as a modal. */
export function modalReply(modal: OpenModal, title: string): Reply {
  const show = (message: OutgoingMessage) => modal.show(messageView(title, message));
  return {
    // The modal says already that it is being read.
    progress: () => {},
    end: () => {},
    show,
    add: show,
    share: () => modal.show(sentenceView(title, 'There is no channel here to share this to. Run the command in one.')),
  };
}

/** The answer by direct message, for when Slack did not open a modal. */
export function directReply(interactive: WebClient, slackId: string): Reply {
  const show = ({ text }: OutgoingMessage) => postDirectly(interactive, slackId, { text, blocks: [] });
  return { progress: () => {}, end: () => {}, show, add: show, share: show };
}

/** Posts a message of a few plain blocks to a person. */
export async function postDirectly(
  interactive: WebClient,
  slackId: string,
  { text, blocks }: BlockMessage,
): Promise<void> {
  const shown = blocks.length === 0 ? {} : { blocks: [...blocks] };
  await interactive.apiCall('chat.postMessage', { channel: slackId, text: mrkdwnOf(text), ...shown });
}
