/**
 * Tolerant readers of an app's JSON: blocks are drawn even if a member is missing or has another type, because the page must
 * show a mistake of the app rather than stop.
 */
export type Json = Record<string, unknown>;

export function recordOf(value: unknown): Json | null {
  return isRecord(value) ? value : null;
}

function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function recordsOf(value: unknown): Json[] {
  return Array.isArray(value) ? value.map((item) => recordOf(item)).filter((item) => item !== null) : [];
}

export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

export function stringOf(value: unknown, otherwise = ''): string {
  return typeof value === 'string' ? value : otherwise;
}

export function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : stringOf(recordOf(value)?.['text']);
}
