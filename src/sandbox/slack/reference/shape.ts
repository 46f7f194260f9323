/**
 * The vocabulary of the tables in this folder. They say what Slack takes, from its public reference
 * (https://docs.slack.dev/reference/block-kit); `check.ts` interprets them. Where the reference is silent, or where Slack
 * was seen to refuse what it allows, a comment says so.
 */

export type Shape =
  | { kind: 'string'; min: number; max: number; format?: Format }
  | { kind: 'number'; min: number; max: number; isWhole: boolean }
  | { kind: 'positive number' }
  | { kind: 'boolean' }
  | { kind: 'choice'; values: readonly (string | number)[] }
  | { kind: 'list'; of: Shape; min: number; max: number }
  | { kind: 'object'; members: Members }
  | { kind: 'typed'; types: Types }
  | { kind: 'null or'; shape: Shape };

export interface Format {
  pattern: RegExp;
  description: string;
}

/** The members of an object; Slack refuses all others. */
export interface Members {
  needs?: Readonly<Record<string, Shape>>;
  may?: Readonly<Record<string, Shape>>;
  rules?: readonly Rule[];
}

/** Objects that have a `type`, by its value. The table omits the member itself. */
export type Types = Readonly<Record<string, Members>>;

/** A rule about several members of one object. */
export type Rule =
  | { rule: 'at least one'; of: readonly string[] }
  | { rule: 'at most one'; of: readonly string[] }
  /** `member` is, or lists, options that are offered in exactly this form. */
  | { rule: 'offered'; member: string }
  | { rule: 'not above'; low: string; high: string }
  | { rule: 'only with'; member: string; switch: string }
  /** The element in `member` may not be of this type while `switch` is true. */
  | { rule: 'not while'; switch: string; member: string; type: string }
  | { rule: 'rows of equal length' }
  | { rule: 'first row without'; type: string }
  | { rule: 'one point for each category' };

export const string = (max = Number.POSITIVE_INFINITY): Shape => ({ kind: 'string', min: 1, max });
export const stringOrEmpty = (max = Number.POSITIVE_INFINITY): Shape => ({ kind: 'string', min: 0, max });
export const formatted = (format: Format): Shape => ({ kind: 'string', min: 1, max: 255, format });
export const whole = (min: number, max = Number.MAX_SAFE_INTEGER): Shape => ({
  kind: 'number',
  min,
  max,
  isWhole: true,
});
export const number: Shape = {
  kind: 'number',
  min: Number.NEGATIVE_INFINITY,
  max: Number.POSITIVE_INFINITY,
  isWhole: false,
};
export const positive: Shape = { kind: 'positive number' };
export const boolean: Shape = { kind: 'boolean' };
export const choice = (...values: readonly (string | number)[]): Shape => ({ kind: 'choice', values });
export const object = (members: Members): Shape => ({ kind: 'object', members });
export const typed = (types: Types): Shape => ({ kind: 'typed', types });
export const nullOr = (shape: Shape): Shape => ({ kind: 'null or', shape });

/** Slack takes no empty list, with few exceptions: https://github.com/slackapi/python-slack-sdk/pull/1576 */
export const list = (of: Shape, max = Number.POSITIVE_INFINITY, min = 1): Shape => ({ kind: 'list', of, min, max });

/** @example pick(elements, 'button', 'overflow') // the part of a table that is allowed in one place */
export const pick = <Name extends string>(types: Readonly<Record<Name, Members>>, ...names: readonly Name[]): Types =>
  Object.fromEntries(names.map((name) => [name, types[name]]));
