import { JSONParser, TokenType } from '@streamparser/json';
import type { z } from 'zod';
import type { AnswerFault } from '../errors.ts';
import { describeIssues } from '../arguments.ts';

export type ReadBody = { fault: AnswerFault; value?: undefined } | { fault?: undefined; value: unknown };

/** The largest answer that is parsed while it arrives: about 700,000 rows of people. */
const MAX_BYTES = 64 * 1024 * 1024;
/** The most tokens outside of the list's items, at about twenty bytes of heap each. A year of days has a tenth. */
const MAX_KEPT_TOKENS = 300_000;

export interface BodyReader {
  maxBytes: number;
  /** @returns `false` if the rest of the body changes nothing: the answer is already wrong */
  write(chunk: Uint8Array): boolean;
  end(): ReadBody;
}

interface ParsedValue {
  value?: unknown;
  key?: unknown;
  parent?: unknown;
  stack: readonly unknown[];
}

/**
 * Checks the items of long lists one by one as they arrive, and replaces each by the schema's output, so the whole
 * answer is never in memory in its original form. The tokens outside of the list are bounded: parsed, many small values
 * need tens of times the memory of their text.
 *
 * @param path of the items, such as `$.data.*.by_user.*`
 * @param maxBytes of the whole body; smaller if the schema keeps most of each item
 */
export function createJsonReader(
  path: string,
  item: z.ZodType,
  { maxBytes = MAX_BYTES }: { maxBytes?: number } = {},
): BodyReader {
  const parser = new JSONParser({ paths: [path, '$'], keepStack: false });
  const tokenCount = createTokenCount(path);
  let size = 0;
  let beginning = '';
  let isBroken = false;
  let root: { value: unknown } | undefined;
  let wrongItem: AnswerFault | undefined;
  parser.onValue = ({ value, key, parent, stack }: ParsedValue) => {
    if (stack.length === 0) {
      root = { value };
      return;
    }
    tokenCount.countItem();
    const result = item.safeParse(value);
    if (!result.success) wrongItem ??= { code: 'wrong_shape', detail: describeIssues(result.error, path) };
    else if (Array.isArray(parent) && typeof key === 'number') parent[key] = result.data;
  };
  parser.onToken = ({ token }) => tokenCount.countToken(token);
  parser.onError = () => (isBroken = true);
  return {
    maxBytes,
    write: (chunk) => {
      if (beginning.trim() === '') beginning = new TextDecoder().decode(chunk.subarray(0, 500));
      size += chunk.length;
      if (!isBroken && root === undefined) parser.write(chunk);
      if (tokenCount.tokens() > MAX_KEPT_TOKENS)
        wrongItem ??= { code: 'wrong_shape', detail: `too much beside the items of ${path}` };
      return wrongItem === undefined;
    },
    end: () => {
      if (beginning.trim() === '') return { fault: { code: 'empty_body', detail: 'a success without a body' } };
      if (wrongItem) return { fault: wrongItem };
      if (root) return { value: root.value };
      // Text that begins as JSON but cannot be parsed has lost its end. It may contain anything, so it is not quoted.
      if (/^\s*[[{]/.test(beginning)) {
        return { fault: { code: 'cut_body', detail: `JSON broke off within ${size} bytes` } };
      }
      return { fault: { code: 'not_json', detail: beginning.trim() } };
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
