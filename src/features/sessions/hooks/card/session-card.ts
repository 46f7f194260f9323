import { createHash } from 'node:crypto';
import { clip, joinMarkup, markup, markupLength, mention } from '../../../../core/base/text/markup.ts';
import { countOf } from '../../../../core/base/text/numbers.ts';
import type { BlockMessage } from '../../../../core/slack/blocks/blocks.ts';
import { buttonRow, messageOf, prose, smallPrint } from '../../../../core/slack/blocks/paragraphs.ts';
import type { HookSession } from '../core/session-tables.ts';
import { countsMarkup, detailLines, sinceMarkup, stateMarkup } from '../core/texts.ts';
import { cardButtons } from './session-card-buttons.ts';

export function cardMessage(session: HookSession, canShowText: boolean): BlockMessage {
  const counts = countsMarkup(session);
  const facts = [
    sinceMarkup(session),
    ...(markupLength(counts) > 0 ? [counts] : []),
    markup`\`${clip(session.sessionId, 80)}\``,
  ];
  return messageOf(
    prose([stateMarkup(session), ...detailLines(session)]),
    smallPrint(joinMarkup(facts, ' · ')),
    buttonRow(...cardButtons(session, canShowText)),
  );
}

/** The reply that notifies a person who has already seen the card. */
export function callMessage(session: HookSession): BlockMessage {
  return messageOf(prose([markup`${mention(session.owner)} ${stateMarkup(session)}`, ...detailLines(session)]));
}

/** Hashes the parts of a card that justify an edit; counts alone do not. */
export function fingerprintOf(session: HookSession): string {
  const { state, since, message, reason, mutedAt } = session;
  const visibleParts = mutedAt === null ? [state, since, message, reason] : ['muted'];
  return createHash('sha256').update(JSON.stringify(visibleParts)).digest('hex');
}

const MAX_SHOWN = 20;

export function morningMessage(sessions: readonly HookSession[]): BlockMessage {
  const waiting = sessions.filter(({ state }) => state === 'waiting');
  const sorted = [...waiting, ...sessions.filter(({ state }) => state !== 'waiting')];
  const visibleSessions = sorted.slice(0, MAX_SHOWN);
  const hiddenCount = sorted.length - visibleSessions.length;
  const title =
    waiting.length === 0
      ? markup`*While it was quiet: ${countOf(sessions.length, 'session')}*`
      : markup`*While it was quiet: ${countOf(sessions.length, 'session')}, ${countOf(waiting.length, 'waits', 'wait')} for you*`;
  return messageOf(
    prose(title),
    ...visibleSessions.map((session) =>
      prose([markup`${stateMarkup(session)}, ${sinceMarkup(session)}`, ...detailLines(session)]),
    ),
    smallPrint(
      ...(hiddenCount > 0
        ? [markup`${countOf(hiddenCount, 'more session')}: type \`/session mine\` to see them.`]
        : []),
      markup`Your quiet hours: \`/session notify quiet\``,
    ),
  );
}
