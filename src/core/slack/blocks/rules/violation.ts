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

type IssuePath = readonly PropertyKey[];

/** RFC 6901. */
function toPointer(path: IssuePath): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

export function violation(path: IssuePath, code: ViolationCode, message: string): Violation {
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
export function toViolations(issue: z.core.$ZodIssue, prefix: IssuePath): Violation[] {
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

const missing = (path: IssuePath): Violation =>
  violation(path.slice(0, -1), 'missing', `missing required field: ${String(path.at(-1) ?? '')}`);

function wrongType(path: IssuePath, issue: z.core.$ZodIssueInvalidType): Violation {
  if (issue.input === undefined) return missing(path);
  const article = /^[aeiou]/.test(issue.expected) ? 'an' : 'a';
  return violation(path, 'wrong_type', `must provide ${article} ${issue.expected}`);
}

function tooBig(path: IssuePath, issue: z.core.$ZodIssueTooBig): Violation {
  const maximum = Number(issue.maximum);
  if (issue.origin === 'string') return violation(path, 'too_long', `must be less than ${maximum + 1} characters`);
  if (issue.origin === 'array') return violation(path, 'too_many', `no more than ${maximum} items allowed`);
  return violation(path, 'out_of_range', `must be no more than ${maximum}`);
}

function tooSmall(path: IssuePath, issue: z.core.$ZodIssueTooSmall): Violation {
  const minimum = Number(issue.minimum);
  if (issue.origin === 'string') return violation(path, 'too_short', `must be more than ${minimum - 1} characters`);
  if (issue.origin === 'array') return violation(path, 'too_few', `no fewer than ${minimum} items required`);
  return violation(path, 'out_of_range', `must be ${issue.inclusive ? 'at least' : 'more than'} ${minimum}`);
}

function wrongUnion(path: IssuePath, issue: z.core.$ZodIssueInvalidUnion): Violation {
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

export type Path = (string | number)[];
type Visit = (value: Record<string, unknown>, path: Path) => void;

/**
 * Visits outermost objects first. Works on any JSON, valid or not.
 *
 * @param path one list for all visits, since most break no rule and need no path: copy it to keep it
 */
export function walkObjects(value: unknown, path: Path, visit: Visit): void {
  if (typeof value !== 'object' || value === null) return;
  if (isObject(value)) visit(value, path);
  for (const [key, member] of Object.entries(value)) {
    if (typeof member !== 'object') continue;
    path.push(key);
    walkObjects(member, path, visit);
    path.pop();
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The undocumented text limit of a message: Slack refuses more counted characters with `msg_blocks_too_long`. */
export const MESSAGE_CHARACTERS_REFUSED_ABOVE = 13_200;
/** The limit for builders. The exact rule is not published, and messages of other apps failed from 11,300 on. */
export const MESSAGE_CHARACTERS_BUDGET = 10_000;

// Measured: each header costs about this much besides its text.
const HEADER_EXTRA = 100;
// Their own limits (20,000 characters for tables) could not be reached if their cells counted here.
const OWN_LIMITS: ReadonlySet<unknown> = new Set(['data_table', 'data_visualization']);
const TEXT_MEMBERS: ReadonlySet<string> = new Set(['text', 'title', 'label', 'hint', 'description']);

/** Counts characters as Slack does: `&`, `<` and `>` as entities, once, whether they are already escaped or not. */
function countEscaped(text: string): number {
  let count = text.length;
  if (!/[&<>]/.test(text)) return count;
  for (const [mark] of text.matchAll(/&(?!(?:amp|lt|gt);)|[<>]/g)) count += mark === '&' ? 4 : 3;
  return count;
}

/**
 * Counts as Slack's hidden limit does (measured, not documented). Tables and charts have limits of their own.
 *
 * @example if (countMessageCharacters(blocks) > MESSAGE_CHARACTERS_BUDGET) splitIntoThread(blocks);
 */
export function countMessageCharacters(blocks: readonly unknown[]): number {
  return blocks.reduce<number>((sum, block) => sum + countIn(block), 0);
}

function countIn(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + countIn(item), 0);
  if (!isObject(value) || OWN_LIMITS.has(value['type'])) return 0;
  let count = value['type'] === 'header' ? HEADER_EXTRA : 0;
  for (const [key, member] of Object.entries(value)) {
    if (typeof member === 'object') count += countIn(member);
    else if (typeof member === 'string' && TEXT_MEMBERS.has(key)) count += countEscaped(member);
  }
  return count;
}
