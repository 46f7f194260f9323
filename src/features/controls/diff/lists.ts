import { canonical, isJsonObject, type Json } from '../../../core/platform/redaction/json.ts';
import type { Change, Path } from './change.ts';

/** Returns the items by their ids; undefined unless each has a unique id. */
export function keyOfItems(items: readonly Json[]): Map<string, Json> | undefined {
  const keyed = new Map<string, Json>();
  for (const item of items) {
    const id = isJsonObject(item) && Object.hasOwn(item, 'id') ? item['id'] : undefined;
    if (typeof id !== 'string' || id === '' || keyed.has(id)) return undefined;
    keyed.set(id, item);
  }
  return keyed;
}

/** Returns the entries that were added and removed, with multiplicity; else whether the order changed. */
export function compareLists(before: readonly Json[], after: readonly Json[], path: Path): Change[] {
  const added = without(after, before);
  const removed = without(before, after);
  if (added.length > 0 || removed.length > 0) return [{ kind: 'list', path, added, removed, sizeAfter: after.length }];
  const isReordered = before.some((item, index) => canonical(item) !== canonical(after[index]));
  return isReordered ? [{ kind: 'reordered', path }] : [];
}

function without(items: readonly Json[], others: readonly Json[]): Json[] {
  const unmatched = new Map<string, number>();
  for (const other of others) unmatched.set(canonical(other), (unmatched.get(canonical(other)) ?? 0) + 1);
  return items.filter((item) => {
    const count = unmatched.get(canonical(item)) ?? 0;
    unmatched.set(canonical(item), count - 1);
    return count <= 0;
  });
}
