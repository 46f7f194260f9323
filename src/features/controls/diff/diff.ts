import type { JsonObject } from '../../../core/platform/redaction/json.ts';
import { diffSettings } from './changes.ts';
import { type Change } from './change.ts';
import { judge, VERDICT_ORDER } from './rules.ts';
import type { Verdict } from './rule.ts';
import { pathText } from './paths.ts';

export interface ClassifiedChange {
  change: Change;
  verdict: Verdict | undefined;
}

const rankOf = ({ verdict }: ClassifiedChange) => (verdict ? VERDICT_ORDER[verdict.kind] : 3);

/** Lists the changes: weakening ones first, then other protections, then the rest, each group by name. Pure. */
export function diffClassified(before: JsonObject, after: JsonObject): ClassifiedChange[] {
  return diffSettings(before, after)
    .map((change) => ({ change, verdict: judge(change) }))
    .toSorted(
      (one, other) =>
        rankOf(one) - rankOf(other) || compareText(pathText(one.change.path), pathText(other.change.path)),
    );
}

const compareText = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** Returns the paths of the changed members, each once, as people type them; of a move, both paths. */
export function changedMembers(changes: readonly ClassifiedChange[]): string[] {
  const paths = changes.flatMap(({ change }) => (change.kind === 'moved' ? [change.from, change.path] : [change.path]));
  return [...new Set(paths.map((path) => pathText(path)))];
}
