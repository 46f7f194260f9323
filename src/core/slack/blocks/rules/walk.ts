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
