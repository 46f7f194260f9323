import type { z } from 'zod';

export type ViolationCode =
  | 'too_long'
  | 'too_short'
  | 'too_many'
  | 'too_few'
  | 'out_of_range'
  | 'unknown_key'
  | 'missing'
  | 'wrong_type'
  | 'wrong_value'
  | 'unknown_type'
  | 'wrong_surface'
  | 'duplicate'
  | 'inconsistent'
  | 'msg_blocks_too_long'
  | 'view_too_large';

export interface Violation {
  /** A JSON pointer: `/blocks/1/text/text`. */
  pointer: string;
  /** Slack's words: `must be less than 3001 characters`. */
  message: string;
  code: ViolationCode;
}

type Path = readonly PropertyKey[];

/** RFC 6901. */
function toPointer(path: Path): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

export function violation(path: Path, code: ViolationCode, message: string): Violation {
  return { pointer: toPointer(path), message, code };
}

/** Reports a broken rule from inside a zod refinement; `path` is relative to the refined object. */
export function report(
  context: z.RefinementCtx,
  input: unknown,
  { path, code, message }: { path: (string | number)[]; code: ViolationCode; message: string },
): void {
  context.addIssue({ code: 'custom', path, message, params: { code }, input });
}

/** Uses Slack's messages; `prefix` is the path of the checked value in the payload. */
export function toViolations(issue: z.core.$ZodIssue, prefix: Path): Violation[] {
  const path = [...prefix, ...issue.path];
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => violation(path, 'unknown_key', `invalid additional property: ${key}`));
    case 'invalid_type':
      return [wrongType(path, issue)];
    case 'too_big':
      return [tooBig(path, issue)];
    case 'too_small':
      return [tooSmall(path, issue)];
    case 'invalid_value':
      if (issue.input === undefined) return [missing(path)];
      return [violation(path, 'wrong_value', `must be one of: ${issue.values.map(String).join(', ')}`)];
    case 'invalid_union':
      return [wrongUnion(path, issue)];
    case 'custom':
      return [violation(path, customCode(issue.params?.['code']), issue.message)];
    case 'invalid_format':
    case 'not_multiple_of':
    case 'invalid_key':
    case 'invalid_element':
      return [violation(path, 'wrong_value', issue.message)];
    default:
      return issue satisfies never;
  }
}

const missing = (path: Path): Violation =>
  violation(path.slice(0, -1), 'missing', `missing required field: ${String(path.at(-1) ?? '')}`);

function wrongType(path: Path, issue: z.core.$ZodIssueInvalidType): Violation {
  if (issue.input === undefined) return missing(path);
  const article = /^[aeiou]/.test(issue.expected) ? 'an' : 'a';
  return violation(path, 'wrong_type', `must provide ${article} ${issue.expected}`);
}

function tooBig(path: Path, issue: z.core.$ZodIssueTooBig): Violation {
  const maximum = Number(issue.maximum);
  if (issue.origin === 'string') return violation(path, 'too_long', `must be less than ${maximum + 1} characters`);
  if (issue.origin === 'array') return violation(path, 'too_many', `no more than ${maximum} items allowed`);
  return violation(path, 'out_of_range', `must be no more than ${maximum}`);
}

function tooSmall(path: Path, issue: z.core.$ZodIssueTooSmall): Violation {
  const minimum = Number(issue.minimum);
  if (issue.origin === 'string') return violation(path, 'too_short', `must be more than ${minimum - 1} characters`);
  if (issue.origin === 'array') return violation(path, 'too_few', `no fewer than ${minimum} items required`);
  return violation(path, 'out_of_range', `must be ${issue.inclusive ? 'at least' : 'more than'} ${minimum}`);
}

function wrongUnion(path: Path, issue: z.core.$ZodIssueInvalidUnion): Violation {
  const input = issue.input;
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    return violation(path, 'wrong_type', 'must provide an object');
  }
  // zod appends the discriminator to the path of such an issue.
  const parent = path.at(-1) === 'type' ? path.slice(0, -1) : path;
  const type: unknown = 'type' in input ? input.type : undefined;
  if (type === undefined) return violation(parent, 'missing', 'missing required field: type');
  return violation(
    [...parent, 'type'],
    'unknown_type',
    `unsupported type: ${typeof type === 'string' ? type : JSON.stringify(type)}`,
  );
}

const customCodes: readonly ViolationCode[] = [
  'missing',
  'duplicate',
  'inconsistent',
  'too_many',
  'too_long',
  'unknown_type',
];
function customCode(code: unknown): ViolationCode {
  return customCodes.find((customViolation) => customViolation === code) ?? 'wrong_value';
}
