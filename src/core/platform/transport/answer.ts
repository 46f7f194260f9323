import { createHash } from 'node:crypto';
import { JSONParser, TokenType } from '@streamparser/json';
import { z } from 'zod';
import { nextTurn } from '../../base/time/turns.ts';
import type { AnswerFault, PlatformErrorCode } from '../errors.ts';
import { describeIssues } from '../arguments.ts';
import type { Scrub } from '../../base/privacy/scrub.ts';

export type ReadBody = { fault: AnswerFault; value?: undefined } | { fault?: undefined; value: unknown };

/** The largest answer that is parsed while it arrives: about 700,000 rows of people. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Parsed at its end, such an answer takes a sixth of the time, and blocks other work for some milliseconds. */
export const MAX_SHORT_BYTES = 2 * 1024 * 1024;

/** Parsing as much takes some milliseconds, and ten times as long while the code is new. */
const PIECE_BYTES = 16 * 1024;

/** The most tokens outside of the list's items, at about twenty bytes of heap each. A year of days has a tenth. */
const MAX_KEPT_TOKENS = 300_000;

export interface BodyReader {
  maxBytes: number;
  /** @returns `false` if the rest of the body changes nothing: the answer is already wrong */
  write(chunk: Uint8Array): Promise<boolean>;
  end(): Promise<ReadBody>;
}

/**
 * Parses a long list while it arrives, and replaces each item by the schema's output, so the whole answer is never in
 * memory in its original form. A short answer is parsed at its end.
 *
 * @param path of the items, such as `$.data.*.by_user.*`
 * @param maxBytes of the whole body; smaller if the schema keeps most of each item
 * @param maxShortBytes up to this size an answer is short; 0 if it is known to be long
 * @param itemsATurn of a short answer; fewer if the schema takes long for each item
 * @param onEnd called with the size of the body
 */
export function createJsonReader(
  path: string,
  item: z.ZodType,
  {
    maxBytes = MAX_BYTES,
    maxShortBytes = MAX_SHORT_BYTES,
    itemsATurn = ITEMS_A_TURN,
    onEnd,
  }: { maxBytes?: number; maxShortBytes?: number; itemsATurn?: number; onEnd?: (bytes: number) => void } = {},
): BodyReader {
  let size = 0;
  const beginning: Uint8Array[] = [];
  let long: ReturnType<typeof createStreamReader> | undefined;
  return {
    maxBytes,
    write: async (chunk) => {
      size += chunk.length;
      beginning.push(chunk);
      if (!long && size <= maxShortBytes) return true;
      long ??= createStreamReader(path, item);
      for (const piece of beginning.splice(0).flatMap(inPieces)) {
        // Without this, the data of a dozen connections would be parsed in one turn of the event loop.
        await nextTurn();
        if (!long.write(piece)) return false;
      }
      return true;
    },
    end: async () => {
      onEnd?.(size);
      if (long) return long.end();
      const body = parseBody(new TextDecoder().decode(Buffer.concat(beginning)));
      return body.fault ? body : replaceItems(body.value, path, item, itemsATurn);
    },
  };
}

/** Of the bytes of a body. */
export type BodyDigest = string;

/**
 * Hands a body to a reader unless it has the same bytes as an earlier one. While it may be the same, it is kept, which takes
 * no more memory than the bytes that arrive.
 *
 * @param seen of the earlier body
 * @param onEnd called with what this body was, before the reader ends
 */
export function createChangeReader(
  reader: BodyReader,
  seen: { digest: BodyDigest; bytes: number } | undefined,
  onEnd: (body: { digest: BodyDigest; bytes: number }) => void,
): BodyReader {
  const hash = createHash('sha256');
  const kept: Uint8Array[] = [];
  let bytes = 0;
  const handOver = async () => {
    for (const chunk of kept.splice(0)) if (!(await reader.write(chunk))) return false;
    return true;
  };
  return {
    maxBytes: reader.maxBytes,
    write: async (chunk) => {
      hash.update(chunk);
      bytes += chunk.length;
      kept.push(chunk);
      return bytes <= (seen?.bytes ?? 0) || handOver();
    },
    end: async () => {
      const digest = hash.digest('hex');
      const isUnchanged = bytes === seen?.bytes && digest === seen.digest;
      onEnd({ digest, bytes });
      if (isUnchanged) return { value: undefined };
      await handOver();
      return reader.end();
    },
  };
}

const inPieces = (chunk: Uint8Array): Uint8Array[] =>
  Array.from({ length: Math.ceil(chunk.length / PIECE_BYTES) }, (_, index) =>
    chunk.subarray(index * PIECE_BYTES, (index + 1) * PIECE_BYTES),
  );

function parseBody(text: string): ReadBody {
  const trimmed = text.trim();
  if (trimmed === '') return EMPTY;
  try {
    return { value: JSON.parse(trimmed) };
  } catch {
    return brokenOff(trimmed, `${trimmed.length} characters`);
  }
}

const EMPTY: ReadBody = { fault: { code: 'empty_body', detail: 'a success without a body' } };

/** Text that begins as JSON but cannot be parsed has lost its end. It may contain anything, so it is not quoted. */
function brokenOff(text: string, length: string): ReadBody {
  if (/^[[{]/.test(text)) return { fault: { code: 'cut_body', detail: `JSON broke off within ${length}` } };
  return { fault: { code: 'not_json', detail: text } };
}

/** Checking this many items takes a millisecond or two. */
const ITEMS_A_TURN = 1_000;

async function replaceItems(value: unknown, path: string, item: z.ZodType, itemsATurn: number): Promise<ReadBody> {
  let checked = 0;
  for (const { container, key } of placesOf(value, path.split('.').slice(1))) {
    const result = item.safeParse(Reflect.get(container, key));
    if (!result.success) return { fault: wrongItem(result.error, path) };
    if (Array.isArray(container)) container[Number(key)] = result.data;
    checked += 1;
    if (checked % itemsATurn === 0) await nextTurn();
  }
  return { value };
}

/** The places of a path of names and `*`. */
function* placesOf(
  container: unknown,
  [step, ...further]: readonly string[],
): Generator<{ container: object; key: string }> {
  if (typeof container !== 'object' || container === null || step === undefined) return;
  for (const key of step === '*' ? Object.keys(container) : [step]) {
    if (further.length > 0) yield* placesOf(Reflect.get(container, key), further);
    else if (Object.hasOwn(container, key)) yield { container, key };
  }
}

const wrongItem = (error: z.ZodError, path: string): AnswerFault => ({
  code: 'wrong_shape',
  detail: describeIssues(error, path),
});

interface ParsedValue {
  value?: unknown;
  key?: unknown;
  parent?: unknown;
  stack: readonly unknown[];
}

/** The tokens outside of the list are bounded: parsed, many small values need tens of times the memory of their text. */
function createStreamReader(path: string, item: z.ZodType) {
  const parser = new JSONParser({ paths: [path, '$'], keepStack: false });
  const tokenCount = createTokenCount(path);
  let size = 0;
  let beginning = '';
  let isBroken = false;
  let root: { value: unknown } | undefined;
  let fault: AnswerFault | undefined;
  parser.onValue = ({ value, key, parent, stack }: ParsedValue) => {
    if (stack.length === 0) {
      root = { value };
      return;
    }
    tokenCount.countItem();
    const result = item.safeParse(value);
    if (!result.success) fault ??= wrongItem(result.error, path);
    else if (Array.isArray(parent) && typeof key === 'number') parent[key] = result.data;
  };
  parser.onToken = ({ token }) => tokenCount.countToken(token);
  parser.onError = () => (isBroken = true);
  return {
    write: (chunk: Uint8Array): boolean => {
      if (beginning === '') beginning = new TextDecoder().decode(chunk.subarray(0, 500)).trim();
      size += chunk.length;
      if (!isBroken && root === undefined) parser.write(chunk);
      if (tokenCount.tokens() > MAX_KEPT_TOKENS)
        fault ??= { code: 'wrong_shape', detail: `too much beside the items of ${path}` };
      return fault === undefined;
    },
    end: (): ReadBody => {
      if (beginning === '') return EMPTY;
      if (fault) return { fault };
      return root ? { value: root.value } : brokenOff(beginning, `${size} bytes`);
    },
  };
}

/** An item is replaced as soon as it is complete. */
function createTokenCount(path: string) {
  // `$.data.*` is two steps below the root: its items are the third containers.
  const itemDepth = path.split('.').length;
  let depth = 0;
  let keptTokens = 0;
  let deepTokens = 0;
  return {
    countToken: (token: TokenType) => {
      if (token === TokenType.COMMA || token === TokenType.COLON) return;
      const isOpening = token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET;
      const isClosing = token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET;
      if (isOpening) depth += 1;
      if (depth >= itemDepth) {
        deepTokens += 1;
      } else {
        // Values at the depth of items were no items, or `countItem` would have been called.
        keptTokens += 1 + deepTokens;
        deepTokens = 0;
      }
      if (isClosing) depth -= 1;
    },
    countItem: () => {
      deepTokens = 0;
    },
    tokens: () => keptTokens + deepTokens,
  };
}

const MAX_DETAIL_LENGTH = 500;

const MAX_REQUEST_ID_LENGTH = 200;

export type ReadAnswer<T> = { ok: true; value: T } | { ok: false; fault: AnswerFault };

const CODE_OF_STATUS: Readonly<Record<number, PlatformErrorCode>> = {
  400: 'invalid_request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  422: 'invalid_request',
  429: 'rate_limited',
};

/** API document: "Analytics error body". The errors of other endpoints, which it does not show, are parsed alike. */
const errorBody = z.looseObject({
  title: z.string().optional(),
  detail: z.string().optional(),
  requestId: z.string().optional(),
});

/**
 * Judges the status of an answer, whether it is JSON, and whether the JSON matches the API document. Pure.
 *
 * @param holdsSecrets nothing of the answer is quoted
 * @param scrub removes secrets from a text; applied before a text is cut, since half a secret would pass it
 */
export function readAnswer<T>(
  answer: RawAnswer,
  schema: z.ZodType<T>,
  scrub: Scrub,
  holdsSecrets = false,
): ReadAnswer<T> {
  const { fault, value } = checkAnswer(answer, schema);
  if (!fault) return { ok: true, value };
  if (holdsSecrets) return { ok: false, fault: withoutQuotes(fault, answer) };
  const requestId = shorten(scrub(fault.requestId ?? answer.requestId ?? ''), MAX_REQUEST_ID_LENGTH) || undefined;
  return { ok: false, fault: { ...fault, requestId, detail: shorten(scrub(fault.detail), MAX_DETAIL_LENGTH) } };
}

/** Faults of a schema name places and rules; other faults may quote anything. */
function withoutQuotes({ code, detail }: AnswerFault, { requestId = '' }: RawAnswer): AnswerFault {
  const isQuoted = code !== 'wrong_shape' && code !== 'empty_body' && code !== 'cut_body';
  return {
    code,
    requestId: /^[\w.:-]{1,100}$/.test(requestId) ? requestId : undefined,
    detail: isQuoted ? 'the answer is not quoted, because it may hold secrets' : shorten(detail, MAX_DETAIL_LENGTH),
  };
}

type CheckedAnswer<T> = { fault: AnswerFault; value?: undefined } | { fault?: undefined; value: T };

function checkAnswer<T>(answer: RawAnswer, schema: z.ZodType<T>): CheckedAnswer<T> {
  if (answer.status < 200 || answer.status > 299) return { fault: readErrorBody(answer) };
  const json = answer.read ?? parseBody(answer.text);
  if (json.fault) return json;
  const result = schema.safeParse(json.value);
  if (result.success) return { value: result.data };
  return { fault: { code: 'wrong_shape', detail: describeIssues(result.error, 'answer') } };
}

function readErrorBody({ status, text }: RawAnswer): AnswerFault {
  const code = CODE_OF_STATUS[status] ?? (status >= 500 ? 'server_error' : 'unexpected_status');
  const json = parseBody(text);
  const body = json.fault ? undefined : errorBody.safeParse(json.value);
  if (!body?.success) return { code, detail: text.trim() || 'no body' };
  const summary = [body.data.title, body.data.detail].filter(Boolean).join(': ');
  return { code, detail: summary || text, requestId: body.data.requestId };
}

function shorten(text: string, length: number): string {
  const oneLine = text.replaceAll(/\s+/g, ' ').trim();
  return oneLine.length > length ? `${oneLine.slice(0, length)}…` : oneLine;
}

export interface RawAnswer {
  status: number;
  retryAfter: string | undefined;
  requestId: string | undefined;
  /** Empty if a reader parsed the body. */
  text: string;
  read?: ReadBody | undefined;
}
