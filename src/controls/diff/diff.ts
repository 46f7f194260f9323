import type { JsonObject } from '../../platform/redaction/json.ts';
import { diffSettings } from './changes.ts';
import { type Change } from './change.ts';
import { judge, type Verdict } from './rules.ts';
import { pathText } from './paths.ts';

/** A change, and what it means for how well the organization is guarded. */
export interface ClassifiedChange {
  change: Change;
  verdict: Verdict | undefined;
}

const ORDER = { weaker: 0, noted: 1, relevant: 1 } as const;
const rankOf = ({ verdict }: ClassifiedChange) => (verdict ? ORDER[verdict.kind] : 2);

/** What is other in `after`: what got weaker first, then what else guards something, then the rest, each by name. Pure. */
export function diffClassified(before: JsonObject, after: JsonObject): ClassifiedChange[] {
  return diffSettings(before, after)
    .map((change) => ({ change, verdict: judge(change) }))
    .toSorted(
      (one, other) =>
        rankOf(one) - rankOf(other) || compareText(pathText(one.change.path), pathText(other.change.path)),
    );
}

function compareText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** The members that changed, each once, as people type them; of what moved, both names. */
export function changedMembers(changes: readonly ClassifiedChange[]): string[] {
  const paths = changes.flatMap(({ change }) => (change.kind === 'moved' ? [change.from, change.path] : [change.path]));
  return [...new Set(paths.map((path) => pathText(path)))];
}
