import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { nextTurn } from '../../base/time/turns.ts';
import { describeIssues } from '../arguments.ts';
import type { AnswerFault } from '../errors.ts';
import { createListParser } from './list-parser.ts';

export type ReadBody = { fault: AnswerFault; value?: undefined } | { fault?: undefined; value: unknown };

/** The largest answer that is parsed while it arrives: about 700,000 rows of people. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Parsing as much takes a millisecond, and several while the code is new. */
const PIECE_BYTES = 64 * 1024;

/** The most tokens outside of the list's items, at about twenty bytes of heap each. A year of days has a tenth. */
const MAX_KEPT_TOKENS = 300_000;

/** Of text that is no JSON: several times what is shown of it. */
const QUOTED_CHARACTERS = 4_000;

export interface BodyReader {
  maxBytes: number;
  /** @returns `false` if the rest of the body changes nothing: the answer is already wrong */
  write(chunk: Uint8Array): Promise<boolean>;
  end(): Promise<ReadBody>;
}

/**
 * Parses a list while it arrives, and replaces each item by the schema's output, so the whole answer is never in memory in
 * its original form. The tokens outside of the list are bounded: parsed, many small values need tens of times the memory of
 * their text.
 *
 * @param path of the items, such as `$.data.*.by_user.*`
 * @param maxBytes of the whole body; smaller if the schema keeps most of each item
 * @param plain returns what the schema would, or undefined for an item that only the schema can judge
 */
export function createJsonReader<Item>(
  path: string,
  item: z.ZodType<Item>,
  { maxBytes = MAX_BYTES, plain }: { maxBytes?: number; plain?: (value: unknown) => Item | undefined } = {},
): BodyReader {
  let size = 0;
  let fault: AnswerFault | undefined;
  const beginning = createBeginning();
  const parser = createListParser(path, (value) => {
    const read = plain?.(value);
    if (read !== undefined) return read;
    const result = item.safeParse(value);
    if (result.success) return result.data;
    fault ??= { code: 'wrong_shape', detail: describeIssues(result.error, path) };
    return undefined;
  });
  return {
    maxBytes,
    write: async (chunk) => {
      size += chunk.length;
      beginning.add(chunk);
      for (const piece of inPieces(chunk)) {
        // Without this, the data of a dozen connections would be parsed in one turn of the event loop.
        await nextTurn();
        parser.write(piece);
        if (parser.tokens() > MAX_KEPT_TOKENS)
          fault ??= { code: 'wrong_shape', detail: `too much beside the items of ${path}` };
        if (fault) return false;
      }
      return true;
    },
    end: () => {
      const body = parser.end();
      if (fault) return Promise.resolve({ fault });
      return Promise.resolve(body ?? describeFault(beginning.text(), `${size} bytes`));
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
  const hash = createHash('blake2b512');
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

/** Its blanks are condensed, so that the end, which may be half a secret, is far beyond what is shown. */
function createBeginning() {
  const decoder = new TextDecoder();
  let text = '';
  return {
    add: (chunk: Uint8Array) => {
      if (text.length >= QUOTED_CHARACTERS) return;
      const more = decoder.decode(chunk.subarray(0, QUOTED_CHARACTERS), { stream: true });
      text = (text + more).replaceAll(/\s+/g, ' ').trimStart();
    },
    text: () => (text + decoder.decode()).trimEnd(),
  };
}

/** Parses a whole body. */
export function parseBody(text: string): ReadBody {
  const trimmed = text.trim();
  try {
    return { value: JSON.parse(trimmed) };
  } catch {
    return describeFault(trimmed, `${trimmed.length} characters`);
  }
}

/** Text that begins as JSON but cannot be parsed has lost its end. It may contain anything, so it is not quoted. */
function describeFault(text: string, length: string): ReadBody {
  if (text === '') return { fault: { code: 'empty_body', detail: 'a success without a body' } };
  if (/^[[{]/.test(text)) return { fault: { code: 'cut_body', detail: `JSON broke off within ${length}` } };
  return { fault: { code: 'not_json', detail: text } };
}
