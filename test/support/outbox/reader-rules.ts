import type { TestApp } from '../test-app.ts';

/** A person as Slack and the settings define them at the moment. */
export type Standing = 'guest' | 'deactivated' | 'outsider' | 'erased' | 'member' | 'manager' | 'admin';

export type TestReader =
  | { kind: 'person'; id: string; standing: Standing; seesPeople: boolean }
  /** `isChooserAdmitted`: the person who chose its audience may still see people. */
  | { kind: 'channel'; id: string; isChooserAdmitted: boolean };

interface Rule {
  /** The least role that a person needs; `people`: they see figures of single people. */
  needs: 'nothing' | 'member' | 'manager' | 'admin' | 'people';
  /**
   * Why people may appear beside figures for readers who may not look them up. `chosen`: a person chose it for the
   * channel. `operator`: the settings name the channel. `acting`: they are named for their actions, not for their
   * usage.
   */
  naming?: 'chosen' | 'operator' | 'acting';
  /** The people who are named for their actions. */
  actors?: readonly string[];
}

const chosen: Rule = { needs: 'manager', naming: 'chosen' };
const watching: Rule = { needs: 'manager' };
/** A card names the admins who can decide: Max is one in some rounds. */
const deciding: Rule = { needs: 'admin', naming: 'operator', actors: ['U0ADA', 'U0MAX'] };
const own: Rule = { needs: 'member', naming: 'acting' };
const notice: Rule = { needs: 'member', naming: 'acting' };
const setUp: Rule = { needs: 'manager', naming: 'acting' };

const notices = (...names: string[]): Record<string, Rule> =>
  Object.fromEntries(names.flatMap((name) => [`${name}-notice`, `${name}-admin-notice`]).map((kind) => [kind, notice]));

/** The permitted readers of each kind of message, written down apart from the sources. */
export const RULES: ReadonlyMap<string, Rule> = new Map(
  Object.entries({
    budget: chosen,
    'budget-correction': chosen,
    'budget-correction-note': chosen,
    'budget-owner': { needs: 'people' },
    'budget-owner-correction': { needs: 'people' },
    'budget-owner-correction-note': { needs: 'people' },
    'heads-up': own,
    'heads-up-correction': own,
    'heads-up-correction-note': own,
    'model-retires': own,
    'usage-introduction': watching,
    'usage-watch-message': watching,
    'usage-watch-edit': watching,
    'usage-watch-note': watching,
    'readiness-introduction': setUp,
    'readiness-notice': setUp,
    'readiness-edit': setUp,
    'controls-introduction': setUp,
    'controls-notice': setUp,
    'controls-thread': setUp,
    'controls-growth': setUp,
    'controls-acknowledgement': setUp,
    'controls-aftermath': setUp,
    'limit-card': deciding,
    'limit-card-copies': deciding,
    'limit-card-edit': deciding,
    'limit-card-outcome-notice': deciding,
    'limit-reminder': deciding,
    'limit-answer': deciding,
    'limit-changes': deciding,
    'limit-changes-copies': deciding,
    'limit-policy-line': deciding,
    'limit-policy-line-copies': deciding,
    'limit-told': own,
    'limit-return-soon': own,
    'limit-question': own,
    'computer-card': own,
    'computer-edit': own,
    'computer-done': own,
    'computer-notice': own,
    'hook-card': own,
    'hook-again': own,
    'hook-morning': own,
    'welcome-channel-notice': notice,
    digest: chosen,
    'digest-detail': chosen,
    'digest-introduction': chosen,
    'digest-correction': chosen,
    'digest-correction-note': chosen,
    'reader-lost-farewell': { needs: 'nothing' },
    ...notices('budget', 'digest', 'usage-watch', 'readiness-watch', 'controls-watch', 'delivery-failed'),
    ...notices(
      'reader-lost',
      'platform-key',
      'user-groups',
      'controls-history',
      'figures-unreadable',
      'readiness-reports',
      'shown-limits',
      'readiness-unread',
      'limit-period',
      'limit-reminder',
      'limit-policy',
      'usage-teams',
      'welcome',
      'erasure',
    ),
  } satisfies Record<string, Rule>),
);

const RANKS: Partial<Record<Standing, number>> = { member: 1, manager: 2, admin: 3 };

/** The role that a message to a person needs. A copy for each admin is for admins. */
function neededRank({ needs }: Rule, isForAdmins: boolean): number {
  if (isForAdmins || needs === 'admin') return 3;
  return { nothing: 0, member: 1, manager: 2, people: 1 }[needs];
}

const FIGURE = /\d[\d.,]*(?: [KMB])? (?:Standard )?[Cc]redits|\d%|\d [KMB]\b/;

export interface Written {
  kind: string;
  text: string;
  isForAdmins: boolean;
}

/** The forbidden parts of a message for a reader; empty if it is correct. */
export function faultsOf({ kind, text, isForAdmins }: Written, reader: TestReader, people: readonly KnownPerson[]) {
  const rule = RULES.get(kind);
  if (!rule) return ['has no rule'];
  const hasFigures = FIGURE.test(text);
  const shown = hasFigures ? [...namedIn(text, people), ...(text.includes('@web-team') ? ['@web-team'] : [])] : [];
  if (reader.kind === 'channel') {
    const isAdmitted =
      rule.naming === 'operator' || rule.naming === 'acting' || (rule.naming === 'chosen' && reader.isChooserAdmitted);
    return isAdmitted ? [] : shown.map((name) => `shows ${name} to a channel`);
  }
  const rank = RANKS[reader.standing] ?? 0;
  if (rank < neededRank(rule, isForAdmins)) return ['goes to a person without the role'];
  if (rule.needs === 'people' && !reader.seesPeople) return ['goes to a person who may not see people'];
  if (rank === 0 && hasFigures) return ['shows figures to a person who may not use Quartermaster'];
  if (reader.seesPeople || rule.naming === 'acting') return [];
  return shown.filter((name) => name !== reader.id).map((name) => `shows ${name} to a ${reader.standing}`);
}

/** The people whose figures a message shows to a reader, by e-mail: each has to be recorded. */
export function disclosedIn({ kind, text }: Written, reader: TestReader, people: readonly KnownPerson[]): string[] {
  const rule = RULES.get(kind);
  if (rule?.naming === 'acting' || !FIGURE.test(text)) return [];
  const named = new Set(namedIn(text, people));
  return people
    .filter(({ id }) => named.has(id) && id !== reader.id && !rule?.actors?.includes(id))
    .map(({ email }) => email);
}

export interface KnownPerson {
  /** The Slack id, or the e-mail of a person who is not in Slack. */
  id: string;
  email: string;
  words: readonly string[];
}

const namedIn = (text: string, people: readonly KnownPerson[]): string[] =>
  people.filter(({ words }) => words.some((word) => text.includes(word))).map(({ id }) => id);

/** All people of the platform and of Slack, with all their names. */
export function knownPeople({ slack, platform }: Pick<TestApp, 'slack' | 'platform'>): KnownPerson[] {
  const users = [...slack.workspace.people.values()].flatMap(({ id, email, name, isBot }) =>
    isBot || email === null ? [] : [{ id, email, words: [email, name, `<@${id}>`] }],
  );
  const known = new Set(users.map(({ email }) => email));
  const others = platform.organization.people.flatMap(({ email, name }) =>
    email === null || email === undefined || known.has(email) ? [] : [{ id: email, email, words: [email, name] }],
  );
  return [...users, ...others];
}
