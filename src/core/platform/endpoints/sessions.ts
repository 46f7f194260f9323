import { z } from 'zod';
import { label, messageText } from '../bounded-text.ts';
import { checkArgument, opaqueText, pageSize } from '../arguments.ts';
import { eachItem } from './cursor-pages.ts';
import { nextByCursor, pagination } from './pagination.ts';
import type { CallOptions, Send } from '../transport/request.ts';

const PATH = '/api/v0/sessions/{sessionId}/messages';
const LARGEST_PAGE = 100;

export const MESSAGE_ROLES = ['user', 'assistant', 'tool'] as const;
export type MessageRole = (typeof MESSAGE_ROLES)[number];

/** `z.object`, not `looseObject`: unnamed members such as reasoning, signatures and encrypted content are dropped. */
const sessionMessage = z.object({
  id: label,
  content: z
    .array(z.object({ id: label.optional(), text: messageText.optional() }))
    .nullish()
    .transform((deps) => deps ?? []),
  createdAt: z.number().nullish(),
  updatedAt: z.number().nullish(),
  parentId: label.nullish(),
  /** Missing from the document's table of fields; kept if it is sent. */
  role: label.nullish(),
  isUserVisible: z.boolean().nullish(),
  /** In the documentation of today; `both` is its only documented value. */
  visibility: label.nullish(),
  isError: z.boolean().nullish(),
});
export type SessionMessage = z.infer<typeof sessionMessage>;

const messagesPage = z.object({ messages: z.array(sessionMessage), pagination });
export type MessagesPage = z.infer<typeof messagesPage>;

const messagesQuery = z.object({
  /** 1-100 (API document: default 20). */
  limit: pageSize.optional(),
  /** `pagination.nextCursor` of the page before. */
  cursor: opaqueText.optional(),
  /** Asks this computer directly. */
  computerId: opaqueText.optional(),
  role: z.enum(MESSAGE_ROLES).optional(),
});
export type MessagesQuery = z.infer<typeof messagesQuery>;

/** Every method throws PlatformError. */
export interface Sessions {
  messages(sessionId: string, query?: MessagesQuery, options?: CallOptions): Promise<MessagesPage>;
  /** Each message once. */
  eachMessage(
    sessionId: string,
    query?: Omit<MessagesQuery, 'cursor'>,
    options?: CallOptions,
  ): AsyncGenerator<SessionMessage, void, undefined>;
}

export function createSessions(send: Send): Sessions {
  const messages = async (sessionId: string, query: MessagesQuery = {}, options?: CallOptions) => {
    const checked = checkArgument('GET', PATH, 'query', messagesQuery, query);
    const pathValues = { sessionId };
    return send({ method: 'GET', host: 'base', path: PATH, pathValues, query: checked, schema: messagesPage }, options);
  };
  return {
    messages,
    eachMessage: (sessionId, { limit = LARGEST_PAGE, computerId, role } = {}, options) =>
      eachItem({
        path: PATH,
        load: (cursor) => messages(sessionId, { limit, computerId, role, cursor }, options),
        items: (page) => page.messages,
        next: (page) => nextByCursor(page.pagination),
        key: (message) => message.id,
      }),
  };
}
