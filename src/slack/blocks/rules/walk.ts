export type Path = (string | number)[];
type Visit = (value: Record<string, unknown>, path: Path) => void;

/** Calls `visit` with each object inside `value` and its path, outermost first. Works on any JSON, valid or not. */
export function walkObjects(value: unknown, path: Path, visit: Visit): void {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) walkObjects(item, [...path, index], visit);
    return;
  }
  if (!isObject(value)) return;
  visit(value, path);
  for (const [key, member] of Object.entries(value)) {
    if (typeof member === 'object') walkObjects(member, [...path, key], visit);
  }
}

/** Whether a value is a JSON object, neither a list nor null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
