import { actions, button, context, type Block, type BlockMessage } from '../../core/slack/blocks/blocks.ts';
import { buttonRow, heading, messageOf, note, sentence, type Paragraph } from '../../core/slack/blocks/paragraphs.ts';
import { modal, type ModalView } from '../../core/slack/blocks/views.ts';
import { clip, joinMarkup, markup, readerTime, utcTime, type Markup } from '../../core/base/text/markup.ts';
import { countOf, formatNumber } from '../../core/base/text/numbers.ts';
import { piecesOf, textBlock } from './rich-text.ts';
import { wordsOf, type SessionRequest } from './session-command.ts';
import { boundsOf, type VisibleMessage, type Transcript } from './transcript.ts';

export const PAGE_ACTION = 'session_page';
export const MORE_ACTION = 'session_more';
export const SAVE_ACTION = 'session_save';

/** Messages per page and characters per message; together well within Slack’s limits. */
const PAGE_SIZE = 10;
const FOLDED_LENGTH = 600;
/** A modal holds 100 blocks; the file has the rest of a longer text. */
const WHOLE_LENGTH = 30_000;
const BLOCK_LENGTH = 2_900;

/** A page of a session. Only the reader sees it, and it has no button to share it. */
export function pageMessage(transcript: Transcript, request: SessionRequest): BlockMessage {
  const { messages } = transcript;
  const bounds = boundsOf(messages.length, request.from, PAGE_SIZE);
  const visibleMessages = messages.slice(bounds.from, bounds.to);
  return messageOf(
    heading(`Session ${request.sessionId}`),
    sentence(placeWords(transcript, request, bounds)),
    ...visibleMessages.map((one): Paragraph => ({ blocks: messageBlocks(one, request), lines: [messageLine(one)] })),
    ...noteLines(transcript).map((line) => note(line)),
    ...buttonsBelow(transcript, request, bounds),
  );
}

function placeWords(
  { messages }: Transcript,
  { role }: SessionRequest,
  { from, to }: { from: number; to: number },
): string {
  const what = role === undefined ? 'message' : `message of the role ${role}`;
  if (messages.length === 0) return `There is no ${what} that is meant to be seen.`;
  if (to - from === messages.length) return `${countOf(messages.length, 'message')}, oldest first.`;
  return `Messages ${from + 1} to ${to} of ${formatNumber(messages.length)}, oldest first.`;
}

function noteLines({ hidden, isCut }: Transcript): string[] {
  return [
    ...(hidden > 0
      ? [`${countOf(hidden, 'more message')} not shown: the platform does not mark them as visible.`]
      : []),
    ...(isCut ? ['The session is longer than what is read at a time: this is a part of it.'] : []),
  ];
}

function messageBlocks(one: VisibleMessage, request: SessionRequest): Block[] {
  const { block, isFolded } = textBlock(one.text, FOLDED_LENGTH);
  const more = button({
    text: `All ${formatNumber(one.text.length)} characters`,
    actionId: MORE_ACTION,
    value: JSON.stringify({ words: wordsOf({ ...request, from: undefined }), id: one.id }),
  });
  return [context(whoMarkup(one)), block, ...(isFolded ? [actions(more)] : [])];
}

function whoMarkup({ role, at, isError }: VisibleMessage): Markup {
  return joinMarkup(
    [
      markup`*${role ?? 'unknown role'}*`,
      ...(at === undefined ? [] : [timeMarkup(at)]),
      ...(isError ? [markup`:warning: *error*`] : []),
    ],
    '  ·  ',
  );
}

function timeMarkup(at: number): Markup {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? markup`unknown time` : readerTime(date);
}

function messageLine({ role, at, isError, text }: VisibleMessage): string {
  const date = at === undefined ? undefined : new Date(at);
  const when = date && !Number.isNaN(date.getTime()) ? `, ${utcTime(date)}` : '';
  return `${role ?? 'unknown role'}${when}${isError ? ', error' : ''}: ${clip(text, FOLDED_LENGTH)}`;
}

function buttonsBelow({ messages }: Transcript, request: SessionRequest, bounds: ReturnType<typeof boundsOf>) {
  if (messages.length === 0) return [];
  const page = (text: string, from: number | undefined) =>
    from === undefined ? [] : [button({ text, actionId: PAGE_ACTION, value: wordsOf({ ...request, from }) })];
  const save = button({ text: 'Save as text', actionId: SAVE_ACTION, value: wordsOf(request) });
  return [buttonRow(...page('Older', bounds.older), ...page('Newer', bounds.newer), save)];
}

export function wholeView(title: string, one: VisibleMessage): ModalView {
  const parts = splitText(clip(one.text, WHOLE_LENGTH), BLOCK_LENGTH);
  return modal({
    title,
    blocks: [
      context(whoMarkup(one)),
      ...parts.map((part) => textBlock(part, BLOCK_LENGTH).block),
      ...(one.text.length > WHOLE_LENGTH ? [context(markup`_The rest is in the text file._`)] : []),
    ],
  });
}

function splitText(text: string, length: number): string[] {
  return Array.from({ length: Math.max(1, Math.ceil(text.length / length)) }, (_, index) =>
    text.slice(index * length, (index + 1) * length),
  );
}

export function transcriptText({ messages, hidden, isCut }: Transcript, { sessionId }: SessionRequest): string {
  const parts = messages.map(({ role, at, isError, text }) => {
    const date = at === undefined ? undefined : new Date(at);
    const when = date && !Number.isNaN(date.getTime()) ? date.toISOString() : 'unknown time';
    const pieces = piecesOf(text).map(({ kind, text: part }) =>
      kind === 'code' ? `    ${part.replaceAll('\n', '\n    ')}` : part,
    );
    return `[${when}] ${role ?? 'unknown role'}${isError ? ' (error)' : ''}\n${pieces.join('\n')}\n`;
  });
  return [`Session ${sessionId}`, '', ...parts, ...noteLines({ messages, hidden, isCut })].join('\n');
}
