import type { Organization } from './organization.ts';
import { createRandom, hash } from './random.ts';

type Role = 'user' | 'assistant' | 'tool';

/** A stored message. The filter reads `role`; the document's message has no such member. */
interface StoredMessage {
  role: Role;
  wire: Record<string, unknown>;
}

export interface StoredSession {
  id: string;
  /** E-mail of the session's owner. */
  email: string;
  messages: readonly StoredMessage[];
}

/** Texts in reasoning, signature and encrypted members: they must never get past a parser. */
export const PLANTED_REASONING = 'PLANTED-REASONING';

const SESSION_LENGTHS = [57, 24, 8, 3, 0, 240];

const QUESTIONS = [
  'Please make the checkout test pass again.',
  'Why does it fail only in CI?',
  'Use the existing retry, do not write another one.',
  'Good. Now open a pull request.',
];
const REPLIES = [
  'The test waits for a fixed time. I will wait for the event instead.',
  'In CI the clock is mocked, so the promise never settles.',
  'Done. The suite passes: 214 tests in 9 s.',
  '```ts\nawait once(server, "listening");\n```',
];
const OUTPUTS = [
  'PASS test/checkout.test.ts',
  '3 files changed, 21 insertions(+)',
  '<!channel> *bold* <https://evil.example|click>',
];

/** Creates the sessions of the demo people; the last one has more messages of a role than the largest page. */
export function createSessions(
  { seed, people }: Organization,
  startedAtMs: number,
): ReadonlyMap<string, StoredSession> {
  const sessions = SESSION_LENGTHS.map((length, index): StoredSession => {
    const id = `ses_${hash(seed, index, 31).toString(36)}${index}`;
    const beginMs = startedAtMs - (index + 1) * 7_200_000;
    const messages = Array.from({ length }, (_, step) => createMessage(seed, id, index, step, beginMs));
    return { id, email: people[index]?.email ?? '', messages };
  });
  return new Map(sessions.map((session) => [session.id, session]));
}

function createMessage(seed: number, sessionId: string, session: number, step: number, beginMs: number): StoredMessage {
  const random = createRandom(seed + 41, session, step);
  const role: Role = step % 4 === 0 ? 'user' : step % 2 === 0 ? 'tool' : 'assistant';
  const texts = { user: QUESTIONS, assistant: REPLIES, tool: OUTPUTS }[role];
  const isError = role === 'tool' && step % 12 === 6;
  const text = isError
    ? 'Error: connect ECONNREFUSED 127.0.0.1:5432'
    : (texts[Math.floor(random() * texts.length)] ?? '');
  const id = `${sessionId}_m${step}`;
  const createdAt = beginMs + step * 40_000;
  const wire = {
    id,
    content: [{ id: `${id}_c0`, text }],
    createdAt,
    updatedAt: createdAt + 5_000,
    ...(step > 0 && { parentId: `${sessionId}_m${step - 1}` }),
    // A tool's output is for the agent, unless it is an error.
    isUserVisible: role !== 'tool' || isError,
    isError,
    ...(role === 'assistant' && reasoning(step)),
  };
  return { role, wire };
}

function reasoning(step: number): Record<string, string> {
  return {
    providerOneMessageId: `${PLANTED_REASONING}-id-${step}`,
    providerOneEncryptedContent: `${PLANTED_REASONING}-encrypted-${step}`,
    providerOneReasoningId: `${PLANTED_REASONING}-rid-${step}`,
    providerOneReasoningSummary: `${PLANTED_REASONING}-summary-${step}`,
    providerTwoThoughtSignature: `${PLANTED_REASONING}-signature-${step}`,
    chatCompletionReasoningContent: `${PLANTED_REASONING}-content-${step}`,
  };
}
