import { pino, type Logger } from 'pino';
import { z } from 'zod';
import { createScrub } from './privacy/scrub.ts';
import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname, join, relative } from 'node:path';

const POSITION = /file:\/\/([^\s:()]{1,500}\.js):(\d{1,7}):(\d{1,7})/g;
const maps = new Map<string, SourceMap | undefined>();

/**
 * Translates positions in an error's stack from the bundle to the sources. Node's `--enable-source-maps` reads the maps
 * at the start and keeps them, which costs 15 MB; here they are read with the first error.
 *
 * @example namePositions('at start (file:///app/dist/main.js:10:3)') // 'at start (src/app/app.ts:42:9)'
 */
function namePositions(stack: string): string {
  return stack.replaceAll(POSITION, (position, path: string, line: string, column: string) => {
    const mapping = mapOf(path)?.findEntry(Number(line) - 1, Number(column) - 1);
    if (!mapping || !('originalSource' in mapping)) return position;
    const source = join(dirname(path), mapping.originalSource);
    return `${relative(join(dirname(path), '..'), source)}:${mapping.originalLine + 1}:${mapping.originalColumn + 1}`;
  });
}

function mapOf(path: string): SourceMap | undefined {
  if (!maps.has(path)) maps.set(path, readMap(`${path}.map`));
  return maps.get(path);
}

function readMap(path: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    // Without the bundle there is no map, and an unreadable map must not hide the error that is being logged.
    return undefined;
  }
}

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
