import { joinMarkup, markup, readerTime, type Markup } from '../../../../core/base/text/markup.ts';
import { countOf } from '../../../../core/base/text/numbers.ts';
import type { HookSession } from './session-tables.ts';

/** @example stateMarkup(session) // ✋ *Waits for you* in `web` */
export function stateMarkup(session: HookSession): Markup {
  const where = session.folder === null ? markup`` : markup` in \`${session.folder}\``;
  return markup`${stateWords(session)}${where}`;
}

function stateWords({ state, reason, finishedAt, mutedAt }: HookSession): Markup {
  if (mutedAt !== null) return markup`🔕 *Muted*`;
  switch (state) {
    case 'waiting':
      return markup`✋ *Waits for you*`;
    case 'stopped':
      return markup`✅ *Finished*`;
    case 'ended':
      if (reason === 'error') return markup`❌ *Ended with an error*`;
      return finishedAt === null ? markup`⏹️ *Ended*` : markup`✅ *Finished and closed*`;
    case 'working':
      return markup`▶️ *Works*`;
    default:
      return state satisfies never;
  }
}

export function detailLines({ state, message, reason, mutedAt }: HookSession): Markup[] {
  if (mutedAt !== null) return [];
  if (state === 'waiting' && message !== null) return [markup`${message}`];
  if (state === 'working' && message !== null) return [markup`Last question: ${message}`];
  const words = state === 'ended' && reason !== null ? reasonWords(reason) : undefined;
  return words === undefined ? [] : [words];
}

/** How a session ended, by the client’s documents. The heading says an error, and `other` says nothing. */
const REASONS: ReadonlyMap<string, Markup | undefined> = new Map([
  ['error', undefined],
  ['other', undefined],
  ['clear', markup`The conversation was cleared.`],
  ['logout', markup`You signed out.`],
  ['prompt_input_exit', markup`You left at the prompt.`],
]);

const reasonWords = (reason: string): Markup | undefined =>
  REASONS.has(reason) ? REASONS.get(reason) : markup`Reason: ${reason}`;

export function sinceMarkup({ state, since, mutedAt }: HookSession): Markup {
  const time = readerTime(new Date(mutedAt ?? since));
  const isOver = mutedAt === null && (state === 'stopped' || state === 'ended');
  return isOver ? time : markup`since ${time}`;
}

/** @example countsMarkup(session) // 14 tool calls · 2 subagents */
export function countsMarkup({ toolCalls: tools, subagents }: HookSession): Markup {
  const counts = [
    ...(tools > 0 ? [markup`${countOf(tools, 'tool call')}`] : []),
    ...(subagents > 0 ? [markup`${countOf(subagents, 'subagent')}`] : []),
  ];
  return joinMarkup(counts, ' · ');
}
