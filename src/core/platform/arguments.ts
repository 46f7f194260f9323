import { z } from 'zod';
import { PlatformError } from './errors.ts';

export type Method = 'GET' | 'PUT' | 'POST';

const MAX_SEGMENT_LENGTH = 256;

const PLACEHOLDER = /\{(\w+)\}/g;

/** Ids and cursors: opaque texts of the platform, sent back as they came. */
export const opaqueText = z.string().min(1).max(4_096);

/** A page size (API document: 1-100 for users, enterprise history and session messages). */
export const pageSize = z.int().min(1).max(100);

const pathSegment = z
  .string()
  .min(1)
  .max(MAX_SEGMENT_LENGTH)
  // oxlint-disable-next-line no-control-regex -- control characters are what is refused here
  .refine((text) => !/[/\\\u0000-\u001f\u007f]/.test(text), 'must not hold slashes or control characters')
  .refine((text) => text !== '.' && text !== '..', 'must not be a relative path')
  .refine((text) => text.isWellFormed(), 'must be well-formed text');

/**
 * Percent-encodes the values.
 *
 * @throws PlatformError `invalid_argument` for a value that is empty, longer than 256 characters or could leave its
 * segment
 * @example fillPath('GET', '/api/v0/computers/{computerId}', { computerId: 'c 1' }); // '/api/v0/computers/c%201'
 */
export function fillPath(method: Method, template: string, values: Record<string, string> = {}): string {
  return template.replaceAll(PLACEHOLDER, (_, name: string) => {
    const value = checkArgument(method, template, name, pathSegment, values[name]);
    return encodeURIComponent(value);
  });
}

/** @throws PlatformError `invalid_argument`, naming the members and the rule, never the value */
export function checkArgument<T>(method: Method, path: string, name: string, schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new PlatformError({ code: 'invalid_argument', method, path, detail: describeIssues(result.error, name) });
}

/** Describes the first five faults: places and rules, no values. */
export function describeIssues(error: z.ZodError, root: string): string {
  const lines = error.issues.slice(0, 5).map((issue) => `${[root, ...issue.path].join('.')}: ${issue.message}`);
  const more = error.issues.length - lines.length;
  return lines.join('; ') + (more > 0 ? ` (and ${more} more)` : '');
}
