import type { Change, Path } from './change.ts';
import { DOCUMENTED_RULES } from './documented-rules.ts';
import { memberChangesOf, type MemberChange } from './member-changes.ts';
import { named, type NameTest, type Rule, type Verdict } from './rule.ts';

const isOff = ({ after }: MemberChange) => after === false;
const isOn = ({ after, before }: MemberChange) => after === true && before !== true;
const isGone = ({ after }: MemberChange) => after === undefined;
const wasOnAndIsGone = ({ before, after }: MemberChange) => before === true && after === undefined;
/** A list that did not exist before may have narrowed the permissions. */
const isLonger = ({ before, added }: MemberChange) => before !== undefined && added.length > 0;
const isShorter = ({ removed }: MemberChange) => removed.length > 0;
const isAny = () => true;
const isMore = ({ before, after }: MemberChange) =>
  typeof before === 'number' && typeof after === 'number' && after > before;
const isLess = ({ before, after }: MemberChange) =>
  typeof before === 'number' && typeof after === 'number' && after < before;
const isEmptied = (memberChange: MemberChange) => memberChange.isEmptied;
const isList = ({ before, after }: MemberChange) => Array.isArray(before) || Array.isArray(after);

const lastNameOf = (path: string) => path.slice(path.lastIndexOf('.') + 1);

/** `allowManagedHooksOnly` permits nothing: it forbids everything else. */
const ONLY = /^allow\w*Only$/;

const DENY_LIST = named(/(^|\.)(deny[A-Z]?\w*|\w*(deny|block)list|blocked\w*)$/i);
const ALLOW_LIST: NameTest = (path) => {
  const name = lastNameOf(path);
  if (ONLY.test(name)) return false;
  const lower = name.toLowerCase();
  if (/^allow(?!all|custom|local)[a-z]/.test(lower) || lower.endsWith('allowlist')) return true;
  // `toolsAllowedDomains`
  const at = lower.indexOf('allowed');
  return at >= 0 && lower.endsWith('s') && lower.length - at > 'alloweds'.length;
};
/** Names of switches that protect something, and of those that permit something. */
const GUARD: NameTest = (path) => /shield|^restrict|^strict/i.test(lastNameOf(path)) || ONLY.test(lastNameOf(path));
const PERMISSION: NameTest = (path) =>
  /^(allow[A-Z]\w*|is\w*Allowed)$/.test(lastNameOf(path)) && !ONLY.test(lastNameOf(path));
const POLICY_SWITCH = named(/(^|\.)(\w*policy|sandbox)\.enabled$/i);
const POLICY = named(/(^|\.)(\w*polic(y|ies)|sandbox)$/i);
const STRICT_LIST = named(/^strictKnownMarketplaces$/);
const RETENTION = named(/^sessionRetentionDays$/);

const ON = 'Looks like a protection, now on.';

/** The first match counts: documented members, then rules by names alone for all that the documents leave open. */
const RULES: readonly Rule[] = [
  ...DOCUMENTED_RULES,
  { member: POLICY_SWITCH, when: isOff, kind: 'weaker', reason: 'Looks like a protection, now off.', opposite: ON },
  { member: POLICY_SWITCH, when: wasOnAndIsGone, kind: 'weaker', reason: 'Its switch was on and is gone.' },
  { member: GUARD, when: isOff, kind: 'weaker', reason: 'Looks like a protection, now off.', opposite: ON },
  {
    member: GUARD,
    when: wasOnAndIsGone,
    kind: 'weaker',
    reason: 'Looks like a protection that was on; now gone.',
    opposite: ON,
  },
  { member: POLICY, when: isGone, kind: 'weaker', reason: 'Removed with everything in it.' },
  {
    member: PERMISSION,
    when: isOn,
    kind: 'weaker',
    reason: 'Looks like a permission, now on.',
    opposite: 'Looks like a permission, now off.',
  },
  { member: DENY_LIST, when: isShorter, kind: 'weaker', reason: 'A deny-list shrank.', opposite: 'A deny-list grew.' },
  {
    member: ALLOW_LIST,
    when: isEmptied,
    kind: 'weaker',
    reason: 'An allow-list is empty or gone; the platform doesn’t document what applies then.',
  },
  {
    member: ALLOW_LIST,
    when: isLonger,
    kind: 'weaker',
    reason: 'An allow-list grew.',
    opposite: 'An allow-list shrank.',
  },
  {
    member: STRICT_LIST,
    when: isEmptied,
    kind: 'weaker',
    reason: 'A strict list is empty or gone; the platform doesn’t document what applies then.',
  },
  {
    member: STRICT_LIST,
    when: isLonger,
    kind: 'weaker',
    reason: 'A strict list grew.',
    opposite: 'A strict list shrank.',
  },
  { member: RETENTION, when: isMore, kind: 'noted', reason: 'Sessions appear to be kept longer.' },
  { member: RETENTION, when: isLess, kind: 'noted', reason: 'Sessions appear to be kept for a shorter time.' },
  { member: RETENTION, when: isAny, kind: 'relevant', reason: 'About how long sessions are kept.' },
  {
    member: named(/(^|\.)\w*polic(y|ies)(\.|$)|^sandbox(\.|$)|^strictKnownMarketplaces$/i),
    when: isAny,
    kind: 'relevant',
    reason: 'Part of what protects the organization.',
  },
  { member: DENY_LIST, when: isList, kind: 'relevant', reason: 'A deny-list.' },
  { member: ALLOW_LIST, when: isList, kind: 'relevant', reason: 'An allow-list.' },
  { member: GUARD, when: isAny, kind: 'relevant', reason: 'Looks like a protection.' },
];

/** Returns undefined if no name reveals anything. */
export function judge(change: Change): Verdict | undefined {
  const verdicts = memberChangesOf(change).flatMap((memberChange): Verdict[] => {
    const member = memberChange.path.join('.');
    const rules = RULES.filter((one) => one.member(member));
    const rule = rules.find((one) => one.when(memberChange));
    const opposite =
      rule?.kind === 'weaker' ? undefined : rules.find((one) => one.opposite && one.when(reverse(memberChange)));
    const kind = opposite ? 'stronger' : rule?.kind;
    const reason = opposite?.opposite ?? rule?.reason;
    return kind && reason !== undefined ? [{ kind, reason: withName(reason, memberChange.path, change.path) }] : [];
  });
  return verdicts.toSorted((one, other) => VERDICT_ORDER[one.kind] - VERDICT_ORDER[other.kind])[0];
}

/** The order in which verdicts about one change count. */
export const VERDICT_ORDER = { weaker: 0, stronger: 1, noted: 2, relevant: 2 } as const;

const reverse = ({ path, before, after, added, removed }: MemberChange): MemberChange => ({
  path,
  before: after,
  after: before,
  added: removed,
  removed: added,
  isEmptied: false,
});

/** If a whole object was added or removed, the reason names the part of it that it is about. */
function withName(reason: string, path: Path, about: Path): string {
  return path.join('.') === about.join('.') ? reason : `${path.join('.')}: ${reason}`;
}
