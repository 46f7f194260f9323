import { isJsonObject, type Json } from '../../../core/platform/redaction/json.ts';
import type { Change, Path } from './change.ts';
import { compareLists } from './lists.ts';

/** The change of one member, from whole objects down to single values. */
export interface MemberChange {
  path: Path;
  before: Json | undefined;
  after: Json | undefined;
  /** Of lists: the entries that were added and removed. */
  added: readonly Json[];
  removed: readonly Json[];
  /** Of lists: there were entries, and now there are none. */
  isEmptied: boolean;
}

/** Splits a change into the changes of members: an added or removed object yields one for each member within. */
export function memberChangesOf(change: Change): MemberChange[] {
  switch (change.kind) {
    case 'added':
      return partsOf(change.path, undefined, change.after);
    case 'removed':
      return partsOf(change.path, change.before, undefined);
    case 'changed':
      return partsOf(change.path, change.before, change.after);
    case 'list':
      return [listMemberChange(change)];
    case 'reordered':
      return [{ path: change.path, before: [], after: [], added: [], removed: [], isEmptied: false }];
    case 'moved':
      return [...partsOf(change.from, change.value, undefined), ...partsOf(change.path, undefined, change.value)];
    default:
      return change satisfies never;
  }
}

/** The removed entries represent the former list, which held at least those. */
function listMemberChange({ path, added, removed, sizeAfter }: Extract<Change, { kind: 'list' }>): MemberChange {
  return {
    path,
    before: [...removed],
    after: [...added],
    isEmptied: removed.length > 0 && sizeAfter === 0,
    added,
    removed,
  };
}

const items = (value: Json | undefined) => (Array.isArray(value) ? value : []);

function partsOf(path: Path, before: Json | undefined, after: Json | undefined): MemberChange[] {
  const [list] = compareLists(items(before), items(after), path);
  const { added, removed } = list?.kind === 'list' ? list : { added: [], removed: [] };
  const members = new Set([...namesIn(before), ...namesIn(after)]);
  const inner = [...members].flatMap((name) => partsOf([...path, name], memberOf(before, name), memberOf(after, name)));
  const isEmptied = items(before).length > 0 && items(after).length === 0;
  return [{ path, before, after, added, removed, isEmptied }, ...inner];
}

const namesIn = (value: Json | undefined): string[] => (isJsonObject(value) ? Object.keys(value) : []);

function memberOf(value: Json | undefined, name: string): Json | undefined {
  const isThere = typeof value === 'object' && value !== null && !Array.isArray(value) && Object.hasOwn(value, name);
  return isThere ? value[name] : undefined;
}
