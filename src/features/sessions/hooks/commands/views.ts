import { markup, readerTime, type Markup } from '../../../../core/base/text/markup.ts';
import { countOf } from '../../../../core/base/text/numbers.ts';
import type { BlockMessage } from '../../../../core/slack/blocks/blocks.ts';
import { plainMessage, runCommandButton } from '../../../../core/slack/blocks/messages.ts';
import { buttonRow, copied, heading, messageOf, prose, smallPrint } from '../../../../core/slack/blocks/paragraphs.ts';
import { commandText } from '../../../../core/slack/commands/command-text.ts';
import { detailsButton, newTokenButton, offButton, testButton } from '../card/session-card-buttons.ts';
import type { QuietHours } from '../core/quiet.ts';
import type { HookInbox, HookSession } from '../core/session-tables.ts';
import { modal, type ModalView } from '../../../../core/slack/blocks/views.ts';
import { hookSettings, TOKEN_FOLDER, type Connection } from './snippet.ts';

const REMOVE_LINE = `rm -r ${TOKEN_FOLDER}`;

/** The one text to paste, with a setup code that is shown only now. */
export function snippetMessage(connection: Connection): BlockMessage {
  return messageOf(
    heading('Hear from your agent'),
    prose(markup`You get a direct message when it waits for you, finishes or ends.`),
    prose(
      markup`*Paste this into the settings file of the command-line client.* If it already has \`hooks\`, merge these entries.`,
    ),
    smallPrint(
      markup`If there is a \`hooks.json\` beside it, paste them there: the client then ignores hooks in its settings. If your organization allows managed hooks only, no message comes.`,
    ),
    copied(hookSettings(connection)),
    smallPrint(markup`The code in it is shown only now and works for an hour.`),
    buttonRow(
      testButton(),
      runCommandButton('Quiet from 22:00 to 7:00', '/session', commandText`notify quiet 22:00-07:00`),
      detailsButton(),
    ),
  );
}

export const DETAILS_TITLE = 'Hear from your agent';

/** Explains each part of the text to paste. */
export function detailsView(url: string): ModalView {
  const { blocks } = messageOf(
    prose([
      markup`*What it does*`,
      markup`•  The client runs a command for each event, and sends the event to ${url}.`,
      markup`•  \`Notification\`: your agent waits for you. \`Stop\`: it finished. \`SessionEnd\`: the session ended.`,
      markup`•  \`PostToolUse\` and \`SubagentStop\` are only counted. They show that it continues.`,
      markup`•  An event takes at most three seconds, and the first one five. If Quartermaster is down, your agent continues.`,
    ]),
    prose([
      markup`*Your token*`,
      markup`•  The first \`Notification\` or \`Stop\` exchanges the code for a token, in \`${TOKEN_FOLDER}\`. Only you can read it.`,
      markup`•  Within the hour, the same text works on all of your computers (Linux or macOS).`,
      markup`•  Later, type \`/session notify\` and press *New token*. Earlier tokens then stop working.`,
      markup`•  Your organization’s managers may see the commands in the platform’s analytics, but never the token.`,
    ]),
    prose([
      markup`*To end it*`,
      markup`•  Type \`/session notify off\`, take the entries out of the settings file, and run \`${REMOVE_LINE}\`.`,
    ]),
    smallPrint(markup`Only you see your sessions.`),
  );
  return modal({ title: DETAILS_TITLE, blocks });
}

export interface StatusFacts {
  inbox: HookInbox;
  newest: HookSession | undefined;
  sessions: number;
  timeZone: string;
  keptDays: number;
}

export function statusMessage({ inbox, newest, sessions, timeZone, keptDays }: StatusFacts): BlockMessage {
  return messageOf(
    prose([
      markup`✅ *Agent messages: on* since ${readerTime(new Date(inbox.openedAt))}`,
      newest
        ? markup`Last event ${readerTime(new Date(newest.lastAt))} · ${countOf(sessions, 'session')} in the last ${countOf(keptDays, 'day')}`
        : markup`No event came yet. *Send a test* shows whether they arrive.`,
      quietLine(inbox, timeZone),
    ]),
    buttonRow(
      testButton(),
      ...(sessions > 0 ? [runCommandButton('My sessions', '/session', commandText`mine`)] : []),
      newTokenButton(),
      offButton(),
    ),
  );
}

function quietLine({ quietFrom: from, quietUntil: until }: HookInbox, zone: string): Markup {
  if (from === null || until === null)
    return markup`No quiet hours. To set them: \`/session notify quiet 22:00-07:00\``;
  return markup`Quiet from ${from} to ${until} (${zone}). To change that: \`/session notify quiet\` and two times, or \`off\``;
}

export function quietMessage(hours: QuietHours | undefined, zone: string): BlockMessage {
  if (!hours) return plainMessage(markup`✅ *Quiet hours are off.* You get messages from your agent at any time.`);
  const { from, until } = hours;
  return plainMessage(
    markup`✅ *Quiet from ${from} to ${until}* (${zone}). At ${until}, one message shows what you missed.`,
  );
}

export const NOT_HERE = plainMessage(
  'Agent messages aren’t available here. The server operator has to set HOOKS_PORT and HOOKS_URL.',
);

export const NOT_ON = plainMessage(markup`Agent messages are off. Type \`/session notify\` to begin.`);

export const TURNED_OFF = messageOf(
  prose([
    markup`✅ *Off.* Your token no longer works, and you no longer get messages about your agent.`,
    markup`Take the entries out of the client’s settings file, and remove \`${TOKEN_FOLDER}\`.`,
  ]),
);
