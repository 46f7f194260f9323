import { toWorkspaceNames } from '../../base/text/command-names.ts';

export type InWorkspaceNames = (body: object) => Record<string, unknown>;

/** The members that people read. Values, ids and metadata come back to the program, or belong to people. */
const READ = new Set(['text', 'initial_comment']);
/** Blocks with figures and names, which contain no commands. */
const FIGURES = new Set(['data_table', 'table', 'data_visualization']);
const CHOICES = new Set(['options', 'option_groups', 'initial_option', 'initial_options']);
const ERRORS = 'errors';
/** Slack’s text limits, which longer names must not exceed: for buttons and modal titles, and for all other texts. */
const MAX_BUTTON_LENGTH = 75;
const MAX_TEXT_LENGTH = 3_000;

/**
 * @param prefix an empty one only removes the shields from texts from outside
 * @example createWorkspaceNames('qm-')({ text: 'Type /usage help.' }) // { text: 'Type /qm-usage help.' }
 */
export function createWorkspaceNames(prefix: string): InWorkspaceNames {
  const inText = (text: string, longest: number) => {
    const named = toWorkspaceNames(text, prefix);
    return named.length > longest && named.length > text.length ? `${named.slice(0, longest - 1)}…` : named;
  };
  const walk = (value: unknown, key: string, holder: object): unknown => {
    if (typeof value === 'string') return READ.has(key) || key === ERRORS ? inText(value, maxLengthIn(holder)) : value;
    if (typeof value !== 'object' || value === null || CHOICES.has(key)) return value;
    if (Array.isArray(value)) return value.map((one) => walk(one, '', value));
    if (isFigures(value) || !isPlainObject(value)) return value;
    // The text of a button has its own limit: `{ type: 'button', text: { type: 'plain_text', text } }`.
    return walkMembers(value, key, key === 'text' && typeOf(holder) === 'button' ? holder : value);
  };
  const walkMembers = (value: object, key: string, holder: object) =>
    Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, walk(inner, key === ERRORS ? ERRORS : name, holder)]),
    );
  return (body) => walkMembers(body, '', body);
}

const typeOf = (value: object): unknown => Reflect.get(value, 'type');

function isFigures(value: object): boolean {
  const type = typeOf(value);
  return typeof type === 'string' && FIGURES.has(type);
}

/** Streams and files have a class of their own. */
const isPlainObject = (value: object) => [Object.prototype, null].includes(Object.getPrototypeOf(value));

/** A message itself is not a block; its longer text was cut before. */
function maxLengthIn(holder: object): number {
  const type = typeOf(holder);
  if (type === 'button') return MAX_BUTTON_LENGTH;
  return typeof type === 'string' ? MAX_TEXT_LENGTH : Number.POSITIVE_INFINITY;
}
