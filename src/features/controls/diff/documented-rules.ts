import { isJsonObject, type Json } from '../../../core/platform/redaction/json.ts';
import type { MemberChange } from './member-changes.ts';
import { named, type Rule } from './rule.ts';

/** From the least to the most that an agent may do without asking. */
const LEVELS = ['off', 'low', 'medium', 'high'];
/** The same in the deprecated `autonomyMode`, which has two names for the least. */
const MODES: Readonly<Record<string, number>> = { normal: 0, spec: 0, 'auto-low': 1, 'auto-medium': 2, 'auto-high': 3 };

function rankOf(value: Json | undefined): number | undefined {
  if (typeof value !== 'string') return undefined;
  const level = LEVELS.indexOf(value);
  return level >= 0 ? level : MODES[value];
}

type When = Rule['when'];

const isHigher: When = ({ before, after }) => {
  const [from, to] = [rankOf(before), rankOf(after)];
  return from !== undefined && to !== undefined && to > from;
};
const isLower: When = (change) => isHigher({ ...change, before: change.after, after: change.before });
const isUnlimited: When = ({ before, after }) => rankOf(before) !== undefined && after === undefined;
/** What `inherit` permits depends on the session, so it is surely less only than `high`, and more only than `off`. */
const isLooserThanInherited: When = ({ before, after }) =>
  (before === 'inherit' && after === 'high') || (before === 'off' && after === 'inherit');
const isOnlyShorter: When = ({ after, added, removed }) =>
  after === undefined || (removed.length > 0 && added.length === 0);
const isAny = () => true;

/** Whether an address of the new list covers one of the old list, or the list has more addresses. */
function isWider({ added, removed }: MemberChange): boolean {
  if (added.length !== removed.length) return added.length > removed.length;
  const wide = added.map((entry) => patternOf(entry));
  return removed.some((entry) => wide.some((pattern) => covers(pattern, patternOf(entry))));
}

function patternOf(entry: Json): string {
  const pattern = isJsonObject(entry) ? entry['urlPattern'] : entry;
  return typeof pattern === 'string' ? pattern : '';
}

/** By the first and last `*` alone: how the platform reads a pattern is not documented. */
function covers(wide: string, narrow: string): boolean {
  const [first, last] = [wide.indexOf('*'), wide.lastIndexOf('*')];
  if (first < 0 || wide === narrow) return false;
  return narrow.startsWith(wide.slice(0, first)) && narrow.endsWith(wide.slice(last + 1));
}

const AUTONOMY = 'Agents may do more without asking.';
const LESS_AUTONOMY = 'Agents may do less without asking.';

const levelRule = (member: RegExp, when: When): Rule => ({
  member: named(member),
  when,
  kind: 'weaker',
  reason: AUTONOMY,
  opposite: LESS_AUTONOMY,
});

/**
 * The members whose meaning the platform's documentation of July 2026 states. `docs/commands/controls.md` lists them, and
 * a test compares both.
 */
export const DOCUMENTED_RULES: readonly Rule[] = [
  levelRule(/^maxAutonomyLevel$/, isHigher),
  levelRule(/^maxAutonomyLevel$/, isUnlimited),
  levelRule(/^sessionDefaultSettings\.autonomy(Level|Mode)$/, isHigher),
  levelRule(/^subagentAutonomyLevel$/, isHigher),
  levelRule(/^subagentAutonomyLevel$/, isLooserThanInherited),
  // The level from which a tool runs without asking.
  levelRule(/^builtInToolAutonomyOverrides\.[^.]+$/, isLower),
  levelRule(/^mcpAutonomyUrlOverrides$/, isWider),
  {
    member: named(/^hooks(\.[^.]+)?$/),
    when: isOnlyShorter,
    kind: 'weaker',
    reason: 'A hook of the organization is gone.',
    opposite: 'A hook of the organization is new.',
  },
  {
    member: named(/^hooks(\.|$)/),
    when: isAny,
    kind: 'relevant',
    reason: 'About the hooks of the organization.',
  },
  {
    member: named(
      /^(max|subagent)AutonomyLevel$|^sessionDefaultSettings\.autonomy|AutonomyOverrides(\.|$)|^mcpAutonomy/,
    ),
    when: isAny,
    kind: 'relevant',
    reason: 'About what agents may do without asking.',
  },
];
