import type { SlackClients } from './clients.ts';

/** Where a file goes: to a person by direct message, or into a channel or thread that the bot is a member of. */
export type FilePlace = { person: string } | { channel: string; threadTs?: string | undefined };

export interface FileWish {
  to: FilePlace;
  /** With its ending: `usage-2026-03.csv`. */
  name: string;
  title: string;
  content: string | Buffer;
  /** What is said beside it, in Slack’s mrkdwn. */
  comment: string;
}

export interface Files {
  /** Sends one file. Throws what Slack refused: a feature lets the router tell the person. */
  send(wish: FileWish): Promise<void>;
}

/** Sends files, each once: the client never repeats a call whose answer was lost. */
export function createFiles({ interactive }: Pick<SlackClients, 'interactive'>): Files {
  return {
    send: async ({ to, name, title, content, comment }) => {
      const channel = 'person' in to ? await openDirect(interactive, to.person) : to.channel;
      const threadTs = 'person' in to ? undefined : to.threadTs;
      const upload = {
        channel_id: channel,
        filename: name,
        title,
        file: typeof content === 'string' ? Buffer.from(content) : content,
        initial_comment: comment,
      };
      await interactive.filesUploadV2(threadTs === undefined ? upload : { ...upload, thread_ts: threadTs });
    },
  };
}

// Files go into conversations; unlike chat.postMessage, a person's id is none here.
async function openDirect(interactive: SlackClients['interactive'], person: string): Promise<string> {
  const { channel } = await interactive.conversations.open({ users: person });
  return channel?.id ?? person;
}
