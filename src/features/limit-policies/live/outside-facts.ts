import type { LimitPeriod } from '../../../core/base/time/limit-period-days.ts';
import { MINUTE_MS } from '../../../core/base/time/durations.ts';
import type { Day } from '../../../core/base/time/calendar.ts';
import { readLimitPeriod } from '../../../core/figures/limit-period.ts';
import { readUse } from '../../limits/card/evidence.ts';
import type { PolicyDatabase } from '../store/policy-tables.ts';
import type { PolicyDeps } from '../policy-deps.ts';
import type { Team } from '../../../core/slack/people/directory.ts';
import { emailsOfActor, isActor } from '../../limits/core/access.ts';
import { readAdmins } from '../../limits/rights/deciders.ts';

/** What Slack, the figures and the settings say about a person. A transaction can't wait for them. */
export interface OutsideFacts {
  email: string;
  /** Of every account of the person in Slack. */
  slackIds: readonly string[];
  /** Every e-mail of the person, in lower case, also earlier ones of these accounts. */
  emails: readonly string[];
  isAdmin: boolean | undefined;
  /** The user groups that Slack returned, and those of the person. */
  knownGroups: ReadonlySet<string>;
  groups: readonly string[];
  figuresUntil: Day | undefined;
  firstSeenOn: Day | undefined;
  /** Over which limits count. */
  period: LimitPeriod | undefined;
  gapUntil: Date | undefined;
  /** Whether the platform showed the limits in force, a minute ago at most. */
  limitsInForce: 'read' | 'not_shown' | 'failed';
}

export interface PolicyPerson {
  email: string;
  slackId?: string | undefined;
  firstSeenOn?: Day | undefined;
}

/** The facts that are the same for every person. */
export async function readSharedFacts(deps: PolicyDeps) {
  const now = deps.clock.now();
  const [teams, use, period, gap] = await Promise.all([
    deps.people.teams().catch(logged(deps, [])),
    readUse(deps.days, now),
    readLimitPeriod(deps),
    deps.readDataGap(),
  ]);
  return {
    teams,
    figuresUntil: use.kind === 'read' ? use.lastDay : undefined,
    period,
    gapUntil: gap?.until,
  };
}

/** Unreadable facts are undefined, so that a person decides. */
export async function readOutsideFacts(
  deps: PolicyDeps,
  { email, slackId, firstSeenOn }: PolicyPerson,
  shared?: Awaited<ReturnType<typeof readSharedFacts>>,
): Promise<OutsideFacts> {
  const { teams, figuresUntil, ...others } = shared ?? (await readSharedFacts(deps));
  const [{ kind: limitsInForce }, person] = await Promise.all([
    deps.capabilities.readLimits(MINUTE_MS),
    deps.knownEmails.complete({ slackId: slackId ?? '', email }),
  ]);
  const accounts = await readAccounts(deps, emailsOfActor(person), slackId);
  const isAdmin = slackId === undefined || !accounts ? undefined : await readIsAdmin(deps, { ...person, slackId });
  const slackIds = accounts ?? [];
  const emails = [...new Set([...emailsOfActor(person), ...(await emailsRequestedFor(deps.db, slackIds))])];
  return {
    ...others,
    email,
    slackIds,
    emails,
    isAdmin,
    knownGroups: new Set(teams.map(({ id }) => id)),
    groups: teams.filter((team) => isMemberOf(team, { emails, slackIds })).map(({ id }) => id),
    figuresUntil: person.areEmailsUnsure ? undefined : figuresUntil,
    firstSeenOn,
    limitsInForce,
  };
}

export const isMemberOf = (
  team: Pick<Team, 'emails' | 'members'>,
  { emails, slackIds }: Pick<OutsideFacts, 'emails' | 'slackIds'>,
): boolean =>
  team.emails.some((email) => emails.includes(email)) || team.members.some((member) => slackIds.includes(member));

/** Returns the Slack ids of a person with several e-mails; undefined if Slack doesn’t say whose they are. */
async function readAccounts(
  { people }: Pick<PolicyDeps, 'people'>,
  emails: readonly string[],
  slackId: string | undefined,
): Promise<string[] | undefined> {
  const own = slackId === undefined ? [] : [slackId];
  if (emails.length <= 1) return own;
  const found = await people.findByEmails(emails);
  return found && [...new Set([...own, ...found.values()])];
}

/** Slack ids stay when e-mails change, so a limit can have been set under an earlier e-mail. */
async function emailsRequestedFor(db: PolicyDatabase, slackIds: readonly string[]): Promise<string[]> {
  if (slackIds.length === 0) return [];
  const rows = await db
    .selectFrom('limitRequestPeople')
    .select('email')
    .distinct()
    .where('slackId', 'in', slackIds)
    .orderBy('email')
    .execute();
  return rows.map(({ email }) => email);
}

const logged =
  <Value>({ log }: PolicyDeps, value: Value) =>
  (error: unknown): Value => {
    log.warn({ err: error }, 'Reading from Slack for a limit policy failed, so a person decides');
    return value;
  };

/** Undefined also if the figures don’t say which e-mails belong to the admins. */
async function readIsAdmin(
  deps: PolicyDeps,
  person: { slackId: string; email: string; otherEmails?: readonly string[] | undefined },
): Promise<boolean | undefined> {
  try {
    const admins = await readAdmins(deps);
    const emails = [person.email, ...(person.otherEmails ?? [])];
    const isAmong = admins.some((admin) => emails.some((email) => isActor({ slackId: person.slackId, email }, admin)));
    if (isAmong) return true;
    const identified = await deps.people.identifyAfresh(person.slackId);
    if (identified.kind !== 'known') return undefined;
    if (identified.person.role === 'admin') return true;
    return admins.some(({ areEmailsUnsure }) => areEmailsUnsure) ? undefined : false;
  } catch (error) {
    return logged(deps, undefined)(error);
  }
}
