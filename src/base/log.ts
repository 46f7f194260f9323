import { pino, type Logger } from 'pino';
import { z } from 'zod';
import { createScrub } from './privacy/scrub.ts';
import { namePositions } from './source-positions.ts';

export type { Logger } from 'pino';

const DEEPEST_CAUSE = 5;
const MAX_DETAIL_LENGTH = 4_000;

/**
 * Returns the loggable parts of an error. Objects are left out, because libraries attach whole requests with their
 * headers. From an answer of Slack, the error code and its messages are kept.
 */
function describeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return typeof error === 'object' ? 'an object was thrown' : error;
  const members = Object.entries(error).filter(([, value]) => value === null || typeof value !== 'object');
  return {
    ...Object.fromEntries(members.map(([name, value]) => [name, typeof value === 'string' ? cut(value) : value])),
    type: error.name,
    message: cut(error.message),
    stack: namePositions(cut(error.stack ?? '')),
    ...slackAnswer(error),
    ...(error.cause === undefined || depth >= DEEPEST_CAUSE ? {} : { cause: describeError(error.cause, depth + 1) }),
  };
}

const cut = (text: string) => text.slice(0, MAX_DETAIL_LENGTH);

const slackAnswerSchema = z.object({
  data: z.object({
    error: z.string().transform(cut),
    response_metadata: z.object({ messages: z.array(z.string().transform(cut)).max(100).optional() }).optional(),
  }),
});

function slackAnswer(error: Error): object {
  const answer = slackAnswerSchema.safeParse(error).data?.data;
  return answer ? { answer } : {};
}

/** pino's own redaction knows paths, but no tokens inside of messages, so each finished line is scrubbed. */
export function createLogger(
  level: string,
  secrets: readonly (string | undefined)[],
  write: (line: string) => void = (line) => void process.stdout.write(line),
): Logger {
  const scrub = createScrub(secrets);
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: (error: unknown) => describeError(error) },
    },
    { write: (line: string) => write(scrub(line)) },
  );
}
