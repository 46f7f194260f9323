import type { Json } from '../../../core/platform/redaction/json.ts';
import type { Change, Path } from '../diff/change.ts';

/** The texts that a change holds: in its values and as names of members. Names of models and servers are among them. */
export function textsIn(changes: readonly Change[]): ReadonlySet<string> {
  const texts = new Set<string>();
  const add = (text: string) => texts.add(text.trim().toLowerCase());
  for (const change of changes) {
    for (const name of pathsOf(change).flat()) add(name);
    for (const value of valuesOf(change)) for (const text of leavesOf(value)) add(text);
  }
  return texts;
}

const pathsOf = (change: Change): Path[] => (change.kind === 'moved' ? [change.path, change.from] : [change.path]);

function valuesOf(change: Change): readonly Json[] {
  switch (change.kind) {
    case 'added':
      return [change.after];
    case 'removed':
      return [change.before];
    case 'changed':
      return [change.before, change.after];
    case 'list':
      return [...change.added, ...change.removed];
    case 'moved':
      return [change.value];
    case 'reordered':
      return [];
    default:
      return change satisfies never;
  }
}

function* leavesOf(value: Json): Generator<string> {
  const open: Json[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === 'string') yield next;
    else if (Array.isArray(next)) open.push(...next);
    else if (typeof next === 'object' && next !== null) {
      yield* Object.keys(next);
      open.push(...Object.values(next));
    }
  }
}
