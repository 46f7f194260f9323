/** JSON of unknown content. */
export type Json = Record<string, unknown>;

/** Returns undefined for a text that is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a value is a JSON object (not a list, not null). */
export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the JSON objects of a list with any content. */
export function objectsIn(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isJson) : [];
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
