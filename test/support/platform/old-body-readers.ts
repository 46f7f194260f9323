/**
 * The readers of bodies before version 0.4.0, kept to judge the one that replaced them and to measure it against them: one
 * parsed a whole body at its end, the other one each token as it arrived.
 */
import { JSONParser, TokenType } from '@streamparser/json';
import type { z } from 'zod';

type Fault = { code: 'empty_body' | 'cut_body' | 'not_json' | 'wrong_shape'; detail: string };

export type OldBody = { fault: Fault; value?: undefined } | { fault?: undefined; value: unknown };

const MAX_KEPT_TOKENS = 300_000;

/** `JSON.parse`, then each item is replaced. */
export function readWhole(path: string, item: z.ZodType, bytes: Uint8Array): OldBody {
  const body = parseBody(new TextDecoder().decode(bytes));
  return body.fault ? body : replaceItems(body.value, path, item);
}

function parseBody(text: string): OldBody {
  const trimmed = text.trim();
  if (trimmed === '') return EMPTY;
  try {
    return { value: JSON.parse(trimmed) };
  } catch {
    return brokenOff(trimmed, `${trimmed.length} characters`);
  }
}

const EMPTY: OldBody = { fault: { code: 'empty_body', detail: 'a success without a body' } };

/** Text that begins as JSON but cannot be parsed has lost its end. It may contain anything, so it is not quoted. */
function brokenOff(text: string, length: string): OldBody {
  if (/^[[{]/.test(text)) return { fault: { code: 'cut_body', detail: `JSON broke off within ${length}` } };
  return { fault: { code: 'not_json', detail: text } };
}

function replaceItems(value: unknown, path: string, item: z.ZodType): OldBody {
  for (const { container, key } of placesOf(value, path.split('.').slice(1))) {
    const result = item.safeParse(Reflect.get(container, key));
    if (!result.success) return { fault: wrongItem(result.error, path) };
    if (Array.isArray(container)) container[Number(key)] = result.data;
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

function wrongItem(error: z.ZodError, path: string): Fault {
  const lines = error.issues.slice(0, 5).map((issue) => `${[path, ...issue.path].join('.')}: ${issue.message}`);
  const more = error.issues.length - lines.length;
  return { code: 'wrong_shape', detail: lines.join('; ') + (more > 0 ? ` (and ${more} more)` : '') };
}

interface ParsedValue {
  value?: unknown;
  key?: unknown;
  parent?: unknown;
  stack: readonly unknown[];
}

/** Parses token by token. */
export function createStreamReader(path: string, item: z.ZodType) {
  const parser = new JSONParser({ paths: [path, '$'], keepStack: false });
  const tokenCount = createTokenCount(path);
  let size = 0;
  let beginning = '';
  let isBroken = false;
  let root: { value: unknown } | undefined;
  let fault: Fault | undefined;
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
    end: (): OldBody => {
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
