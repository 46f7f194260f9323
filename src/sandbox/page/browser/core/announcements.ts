import type { MessageView, Snapshot } from '../../../slack/people/control-types.ts';
import { plainText } from '../text/inline.ts';
import { parseInlineMrkdwn } from '../text/mrkdwn.ts';

const MAX_SPOKEN = 240;

export function authorName(author: string, snapshot: Snapshot): string {
  const { app } = snapshot;
  if (author === app.botUserId || author === app.id) return app.name;
  if (author === 'USLACKBOT') return 'Slackbot';
  return snapshot.people.find(({ id }) => id === author)?.name ?? author;
}

/** Returns the words for screen readers about a message, with its channel if that is not on the screen. */
export function announcementOf(message: MessageView, snapshot: Snapshot, channelName: string | null): string {
  const where = channelName === null ? '' : ` in ${channelName}`;
  const privately = message.isEphemeral ? ', only visible to you' : '';
  const text = plainText(parseInlineMrkdwn(message.text)).slice(0, MAX_SPOKEN);
  return `${authorName(message.author, snapshot)}${where}${privately}: ${text}`;
}
