import { joinMarkup, markup, own, type Markup } from '../../../core/base/text/markup.ts';
import type { OutgoingMessage } from '../../../core/outbox/poster.ts';
import type { BlockMessage, Button } from '../../../core/slack/blocks/blocks.ts';
import { runCommandButton } from '../../../core/slack/blocks/messages.ts';
import { buttonRow, messageOf, prose, smallPrint } from '../../../core/slack/blocks/paragraphs.ts';
import type { UnderstoodLine } from './understood-line.ts';

const MAX_LABEL_LENGTH = 75;

const codeOf = ({ shown }: UnderstoodLine): Markup => markup`\`${own(shown)}\``;

export const buttonsFor = (lines: readonly UnderstoodLine[]): Button[] =>
  lines.flatMap(({ command, text, shown }) =>
    shown.length > MAX_LABEL_LENGTH ? [] : [runCommandButton(shown, command, text)],
  );

/** Says how the message was read, above the answer, with near readings below it. */
export function withReading(
  message: OutgoingMessage,
  line: UnderstoodLine,
  near: readonly UnderstoodLine[],
): OutgoingMessage {
  const above = smallPrint(markup`Read as ${codeOf(line)}`);
  const below = buttonRow(...buttonsFor(near));
  const blocks = message.blocks ?? prose(message.text).blocks;
  return {
    ...message,
    text: joinMarkup([...above.lines, message.text], '\n'),
    blocks: [...above.blocks, ...blocks, ...below.blocks],
  };
}

/** @param sentence why nothing is answered, if not because it could mean several things */
export function unclearMessage(near: readonly UnderstoodLine[], sentence?: string): BlockMessage {
  const several = 'That could mean several things. Which one?';
  const why = sentence ?? (near.length > 1 ? several : 'I’m not sure what you mean. Is it this?');
  return messageOf(prose(markup`${own(why)}`), buttonRow(...buttonsFor(near)));
}

/** Answers “hi”, “thanks” and “help”. */
export function helloMessage(examples: readonly UnderstoodLine[]): BlockMessage {
  return messageOf(
    prose([
      markup`I answer questions about credits, limits, budgets, digests, controls, repositories, computers and your agent’s sessions, such as “how much did I use last week?”.`,
      markup`These are three of the commands; the last one lists all that you can use:`,
    ]),
    buttonRow(...buttonsFor(examples)),
  );
}

/** @param examples that fit the role of the person */
export function unknownMessage(examples: readonly UnderstoodLine[], why = 'I don’t understand that.'): BlockMessage {
  return messageOf(
    prose([
      markup`${own(why)} I read short questions in English, such as “how much did I use last week?” or “will I run out of credits?”`,
      markup`These are three of the commands that I can answer:`,
    ]),
    buttonRow(...buttonsFor(examples)),
  );
}

/** Slack opens a window only after a click; a command that changes something without a form has to be typed. */
export function actionMessage(line: UnderstoodLine): BlockMessage {
  if (line.isRefused)
    return messageOf(prose(markup`Your role can’t use ${codeOf(line)}. \`/quartermaster\` names the people to ask.`));
  if (!line.opensForm) return messageOf(prose(markup`A message changes nothing. To do this, type ${codeOf(line)}`));
  const button = runCommandButton(line.shown.slice(0, MAX_LABEL_LENGTH), line.command, line.text);
  return messageOf(prose(markup`A message changes nothing. This opens in a window:`), buttonRow(button));
}
