import type { MessageRole, SessionMessage } from '../../core/platform/endpoints/sessions.ts';

export interface VisibleMessage {
  id: string;
  /** Undefined if the message came under no role, or under several. */
  role: string | undefined;
  text: string;
  /** Milliseconds; undefined if the platform gave no time. */
  at: number | undefined;
  isError: boolean;
}

/** The visible messages of a session, oldest first. */
export interface Transcript {
  messages: VisibleMessage[];
  hidden: number;
  isCut: boolean;
}

export interface QueriedMessage {
  message: SessionMessage;
  role: MessageRole;
}

/**
 * Messages have no documented role, so each gets the role of the query that returned it; a message from several queries
 * gets none. Keeps only messages that the platform marks as visible.
 * @param isCut whether some messages were left unread
 */
export function buildTranscript(queried: readonly QueriedMessage[], isCut: boolean): Transcript {
  const roles = new Map<string, Set<string>>();
  const messages = new Map<string, SessionMessage>();
  for (const { message, role } of queried) {
    messages.set(message.id, message);
    const messageRoles = roles.get(message.id) ?? new Set();
    roles.set(message.id, messageRoles.add(message.role ?? role));
  }
  const visible = [...messages.values()].filter((message) => isVisible(message));
  const indexed = visible.map((message, index) => ({ index, one: visibleMessageOf(message, roles.get(message.id)) }));
  return {
    // Without times, or with equal times, messages keep the order in which they arrived.
    messages: indexed.toSorted((a, b) => (a.one.at ?? 0) - (b.one.at ?? 0) || a.index - b.index).map(({ one }) => one),
    hidden: messages.size - visible.length,
    isCut,
  };
}

/** `isUserVisible` counts where it is sent. What other visibilities than `both` mean is not documented. */
const isVisible = ({ isUserVisible, visibility }: SessionMessage): boolean => isUserVisible ?? visibility === 'both';

function visibleMessageOf(message: SessionMessage, roles: ReadonlySet<string> | undefined): VisibleMessage {
  const [role, ...others] = roles ?? [];
  return {
    id: message.id,
    role: others.length === 0 ? role : undefined,
    text: message.content.map(({ text }) => text ?? '').join('\n'),
    at: message.createdAt ?? undefined,
    isError: message.isError === true,
  };
}

export interface PageBounds {
  from: number;
  to: number;
  older: number | undefined;
  newer: number | undefined;
}

/** Pure. @example boundsOf(45, undefined, 10) // { from: 35, to: 45, older: 25, newer: undefined } */
export function boundsOf(messages: number, from: number | undefined, size: number): PageBounds {
  const first = Math.max(0, Math.min(from ?? messages - size, messages - 1));
  const to = Math.min(messages, first + size);
  return {
    from: first,
    to,
    older: first > 0 ? Math.max(0, first - size) : undefined,
    newer: to < messages ? to : undefined,
  };
}
