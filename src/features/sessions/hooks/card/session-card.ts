import { createHash } from 'node:crypto';
import type { BlockedRequest } from '../../../../core/feature.ts';
import {
  clip,
  joinMarkup,
  markup,
  markupLength,
  mention,
  readerTime,
  type Markup,
} from '../../../../core/base/text/markup.ts';
import { countOf } from '../../../../core/base/text/numbers.ts';
import type { BlockMessage, Button } from '../../../../core/slack/blocks/blocks.ts';
import { buttonRow, messageOf, prose, smallPrint } from '../../../../core/slack/blocks/paragraphs.ts';
import type { HookSession } from '../core/session-tables.ts';
import { countsMarkup, detailLines, sinceMarkup, stateMarkup } from '../core/texts.ts';
import { cardButtons } from './session-card-buttons.ts';

/** @param blocked the request that was made from the card */
export function cardMessage(
  session: HookSession,
  canShowText: boolean,
  blocked: BlockedRequest | undefined,
  blockedButton: (sessionKey: string) => Button,
): BlockMessage {
  const counts = countsMarkup(session);
  const facts = [
    sinceMarkup(session),
    ...(markupLength(counts) > 0 ? [counts] : []),
    markup`\`${clip(session.sessionId, 80)}\``,
  ];
  return messageOf(
    prose([...blockedLines(session, blocked), stateMarkup(session), ...detailLines(session)]),
    smallPrint(joinMarkup(facts, ' · ')),
    buttonRow(
      ...(isBlockedPossible(session) && !blocked ? [blockedButton(session.id)] : []),
      ...cardButtons(session, canShowText),
    ),
  );
}

const isBlockedPossible = ({ state, reason, mutedAt }: HookSession) =>
  state === 'ended' && reason === 'error' && mutedAt === null;

function blockedLines({ mutedAt }: HookSession, blocked: BlockedRequest | undefined): Markup[] {
  if (mutedAt !== null || !blocked) return [];
  const { id, state, setAt } = blocked;
  switch (state) {
    case 'set':
      return [markup`✅ *Limit set ${readerTime(setAt ?? new Date(0))}: run again.* Request \`${id}\``];
    case 'waiting':
      return [markup`⏳ You requested a higher limit: \`${id}\``];
    case 'over':
      return [markup`Your request \`${id}\` set no limit: \`/limits show ${id}\``];
    default:
      return state satisfies never;
  }
}

/** The reply that notifies a person who has already seen the card. */
export function callMessage(session: HookSession): BlockMessage {
  return messageOf(prose([markup`${mention(session.owner)} ${stateMarkup(session)}`, ...detailLines(session)]));
}

/** Hashes the parts of a card that justify an edit; counts alone do not. */
export function fingerprintOf(session: HookSession, blocked: BlockedRequest | undefined): string {
  const { state, since, message, reason, mutedAt } = session;
  const visibleParts = mutedAt === null ? [state, since, message, reason] : ['muted'];
  // Cards from before there were such requests keep their fingerprints.
  const parts = blocked ? [...visibleParts, blocked.state, blocked.setAt ?? null] : visibleParts;
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
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
