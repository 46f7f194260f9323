import { markup, readerTime, type Markup } from '../../../base/text/markup.ts';
import { countOf } from '../../../base/text/numbers.ts';
import type { BlockMessage } from '../../../slack/blocks/blocks.ts';
import { plainMessage, runCommandButton } from '../../../slack/blocks/messages.ts';
import { buttonRow, heading, messageOf, prose, smallPrint, type Paragraph } from '../../../slack/blocks/paragraphs.ts';
import { commandText } from '../../../slack/commands/command-text.ts';
import { newTokenButton, offButton, testButton } from '../card/session-card-buttons.ts';
import type { QuietHours } from '../core/quiet.ts';
import type { HookInbox, HookSession } from '../core/session-tables.ts';
import { hookSettings, setupLine, TOKEN_FILE } from './snippet.ts';

const REMOVE_LINE = `rm ${TOKEN_FILE}`;

function copied(text: string): Paragraph<Markup> {
  const elements = [{ type: 'rich_text_preformatted', elements: [{ type: 'text', text }] }];
  return { blocks: [{ type: 'rich_text', elements }], lines: [markup`\`${text}\``] };
}

/** The token and the instructions, shown once to its owner. */
export function snippetMessage(url: string, token: string): BlockMessage {
  return messageOf(
    heading('Hear from your agent'),
    prose(markup`You get a direct message when it waits for you, finishes or ends. On its computer (Linux or macOS):`),
    prose(markup`*1. Paste this into a terminal.* It asks for a token.`),
    copied(setupLine(url)),
    prose(markup`*2. Paste your token there.* It is shown only now.`),
    copied(token),
    prose(
      markup`*3. Add this to the settings file of the command-line client.* If it already has \`hooks\`, merge these entries.`,
    ),
    copied(hookSettings()),
    smallPrint(
      markup`Each command sends its event to ${url} and waits at most three seconds, so your agent continues even if Quartermaster is down. Only you see your sessions.`,
      markup`To end it: \`/session notify off\`, take the entries out of the settings file, and \`${REMOVE_LINE}\`.`,
    ),
    buttonRow(
      testButton(),
      runCommandButton('Quiet from 22:00 to 7:00', '/session', commandText`notify quiet 22:00-07:00`),
    ),
  );
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
      offButton('Turn off'),
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
    markup`Take the entries out of the client’s settings file, and remove \`${TOKEN_FILE}\`.`,
  ]),
);
