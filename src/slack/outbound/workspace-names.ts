import { toWorkspaceNames } from '../../base/settings/command-names.ts';

/** Gives what leaves for Slack the names that commands have in this workspace. */
export type InWorkspaceNames = (body: object) => Record<string, unknown>;

/** What people read. Values, ids and metadata come back to the program, or are theirs. */
const READ = new Set(['text', 'initial_comment']);
/** Figures and names, which are nobody’s commands. */
const FIGURES = new Set(['data_table', 'table', 'data_visualization']);
const CHOICES = new Set(['options', 'option_groups', 'initial_option', 'initial_options']);
const ERRORS = 'errors';
/** Slack’s bounds of texts, which longer names must not pass: those of buttons, titles of windows, and everything else. */
const MAX_BUTTON_LENGTH = 75;
const MAX_TEXT_LENGTH = 3_000;

/**
 * @param prefix of COMMAND_PREFIX; with an empty one, only what shielded the texts of others is taken away
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
    // The text of a button has a bound of its own: `{ type: 'button', text: { type: 'plain_text', text } }`.
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

/** A message itself is no block; its text may be longer, and was cut for that before. */
function maxLengthIn(holder: object): number {
  const type = typeOf(holder);
  if (type === 'button') return MAX_BUTTON_LENGTH;
  return typeof type === 'string' ? MAX_TEXT_LENGTH : Number.POSITIVE_INFINITY;
}
