import { JSONParser } from '@streamparser/json';
import type { z } from 'zod';
import type { AnswerFault } from '../errors.ts';
import { describeIssues } from '../arguments.ts';

export type ReadBody = { fault: AnswerFault; value?: undefined } | { fault?: undefined; value: unknown };

/** Takes in the body of one answer piece by piece, so that a large one holds nobody up. */
export interface BodyReader {
  write(chunk: Uint8Array): void;
  end(): ReadBody;
}

/** What the parser gives out: a value, and where it stands. */
interface Emitted {
  value?: unknown;
  key?: unknown;
  parent?: unknown;
  stack: readonly unknown[];
}

/**
 * Reads JSON as it arrives and checks the items of its long lists one by one; each is replaced by what the schema keeps of
 * it, so that the whole is never in memory as it came.
 *
 * @param path of the items, such as `$.data.*.by_user.*`
 * @example createJsonReader('$.data.*.by_user.*', z.object({ user_id: z.string() }))
 */
export function createJsonReader(path: string, item: z.ZodType): BodyReader {
  const parser = new JSONParser({ paths: [path, '$'], keepStack: false });
  let size = 0;
  let beginning = '';
  let isBroken = false;
  let root: { value: unknown } | undefined;
  let wrongItem: AnswerFault | undefined;
  parser.onValue = ({ value, key, parent, stack }: Emitted) => {
    if (stack.length === 0) {
      root = { value };
      return;
    }
    const result = item.safeParse(value);
    if (!result.success) wrongItem ??= { code: 'wrong_shape', detail: describeIssues(result.error, path) };
    else if (Array.isArray(parent) && typeof key === 'number') parent[key] = result.data;
  };
  parser.onError = () => (isBroken = true);
  return {
    write: (chunk) => {
      if (beginning.trim() === '') beginning = new TextDecoder().decode(chunk.subarray(0, 500));
      size += chunk.length;
      if (!isBroken && root === undefined) parser.write(chunk);
    },
    end: () => {
      if (beginning.trim() === '') return { fault: { code: 'empty_body', detail: 'a success without a body' } };
      if (wrongItem) return { fault: wrongItem };
      if (root) return { value: root.value };
      // What begins as JSON and cannot be read has lost its end; its content may be anything, so it is not quoted.
      if (/^\s*[[{]/.test(beginning)) {
        return { fault: { code: 'cut_body', detail: `JSON broke off within ${size} bytes` } };
      }
      return { fault: { code: 'not_json', detail: beginning.trim() } };
    },
  };
}
