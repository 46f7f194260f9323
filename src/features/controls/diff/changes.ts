import { canonical, isJsonObject, type Json, type JsonObject } from '../../../core/platform/redaction/json.ts';
import type { Change, Path } from './change.ts';
import { compareLists, keyOfItems } from './lists.ts';

/** Pure. @example diffSettings({ ring: 'a' }, { ring: 'b' }) // [{ kind: 'changed', path: ['ring'], before: 'a', after: 'b' }] */
export function diffSettings(before: JsonObject, after: JsonObject): Change[] {
  return withMoves(compareObjects(before, after, []));
}

function compare(before: Json, after: Json, path: Path): Change[] {
  if (isObject(before) && isObject(after)) return compareObjects(before, after, path);
  if (Array.isArray(before) && Array.isArray(after)) return compareArrays(before, after, path);
  return canonical(before) === canonical(after) ? [] : [{ kind: 'changed', path, before, after }];
}

const isObject = (value: Json): value is JsonObject => isJsonObject(value);

function compareObjects(before: JsonObject, after: JsonObject, path: Path): Change[] {
  return compareMembers(new Map(Object.entries(before)), new Map(Object.entries(after)), path);
}

function compareMembers(before: ReadonlyMap<string, Json>, after: ReadonlyMap<string, Json>, path: Path): Change[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].flatMap((name): Change[] => {
    const [old, now] = [before.get(name), after.get(name)];
    const inner = [...path, name];
    if (old === undefined) return now === undefined ? [] : [{ kind: 'added', path: inner, after: now }];
    return now === undefined ? [{ kind: 'removed', path: inner, before: old }] : compare(old, now, inner);
  });
}

const commonIds = (one: ReadonlyMap<string, Json>, other: ReadonlyMap<string, Json>) =>
  JSON.stringify([...one.keys()].filter((id) => other.has(id)));

/** Items with ids are compared one by one, at any position; other lists are compared by which items they contain. */
function compareArrays(before: readonly Json[], after: readonly Json[], path: Path): Change[] {
  const [old, now] = [keyOfItems(before), keyOfItems(after)];
  if (!old || !now) return compareLists(before, after, path);
  const isReordered = commonIds(old, now) !== commonIds(now, old);
  return [...compareMembers(old, now, path), ...(isReordered ? [{ kind: 'reordered' as const, path }] : [])];
}

/** Whether a value is distinctive enough to be recognized elsewhere. */
function isDistinctive(value: Json): boolean {
  if (typeof value === 'string') return value.length >= 4;
  if (typeof value === 'number') return Math.abs(value) >= 10;
  return typeof value === 'object' && value !== null && canonical(value).length > 2;
}

const lastOf = (path: Path) => path.at(-1);

/** Turns a removal and an addition of one value that occurs only once on each side into a rename or a move. */
function withMoves(changes: readonly Change[]): Change[] {
  const removed = Map.groupBy(
    changes.filter((change) => change.kind === 'removed'),
    (change) => canonical(change.before),
  );
  const added = Map.groupBy(
    changes.filter((change) => change.kind === 'added'),
    (change) => canonical(change.after),
  );
  const moves = new Map<Change, Change | undefined>();
  for (const [value, [from, another]] of removed) {
    const [to, second] = added.get(value) ?? [];
    if (!from || !to || another || second) continue;
    if (!isDistinctive(from.before) && lastOf(from.path) !== lastOf(to.path)) continue;
    moves.set(from, undefined);
    moves.set(to, { kind: 'moved', path: to.path, from: from.path, value: to.after });
  }
  return changes.flatMap((change) => (moves.has(change) ? (moves.get(change) ?? []) : [change]));
}
