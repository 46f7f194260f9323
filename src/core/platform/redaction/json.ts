import { createHash } from 'node:crypto';

export type Json = string | number | boolean | null | Json[] | JsonObject;
export interface JsonObject {
  [name: string]: Json;
}

export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Deeper levels are not compared: they count as equal. */
const DEEPEST = 500;

/** Independent of the order of members. @example canonical({ b: 1, a: [true] }) // '{"a":[true],"b":1}' */
export function canonical(value: unknown, depth = 0): string {
  if (depth > DEEPEST) return '"…"';
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item, depth + 1)).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member, depth + 1)}`).join(',')}}`;
}

/** Two values can be compared by their digests, without storing them. */
export function digestOfJson(value: unknown): string {
  return createHash('sha256').update(canonical(value)).digest('hex').slice(0, 32);
}

/** Replaces the names of members too. */
export function mapTexts(value: JsonObject, change: (text: string) => string): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [change(name), mapText(member, change)]));
}

function mapText(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapText(item, change));
  return isJsonObject(value) ? mapTexts(value, change) : value;
}
