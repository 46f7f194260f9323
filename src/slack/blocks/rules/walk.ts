export type Path = (string | number)[];
type Visit = (value: Record<string, unknown>, path: Path) => void;

/** Visits outermost objects first. Works on any JSON, valid or not. */
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

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
