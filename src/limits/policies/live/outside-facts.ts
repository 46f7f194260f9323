import type { LimitPeriod } from '../../../base/settings/config.ts';
import type { Day } from '../../../base/time/calendar.ts';
import { readLimitPeriod } from '../../../figures/limit-period.ts';
import { readUse } from '../../card/evidence.ts';
import type { LimitDeps } from '../../core/limits-deps.ts';
import { emailsOfActor, isActor } from '../../rights/access.ts';
import { readAdmins } from '../../rights/deciders.ts';

/** What Slack, the figures and the settings say about a person. A transaction can't wait for them. */
export interface OutsideFacts {
  email: string;
  slackId: string | undefined;
  /** Every e-mail of the person, in lower case. */
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
}

export interface PolicyPerson {
  email: string;
  slackId?: string | undefined;
  firstSeenOn?: Day | undefined;
}

/** The facts that are the same for every person. */
export async function readSharedFacts(deps: LimitDeps) {
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
  deps: LimitDeps,
  { email, slackId, firstSeenOn }: PolicyPerson,
  shared?: Awaited<ReturnType<typeof readSharedFacts>>,
): Promise<OutsideFacts> {
  const { teams, figuresUntil, ...others } = shared ?? (await readSharedFacts(deps));
  const person = await deps.knownEmails.complete({ slackId: slackId ?? '', email });
  const isAdmin = slackId === undefined ? undefined : await readIsAdmin(deps, { ...person, slackId });
  const isMember = (team: (typeof teams)[number]) =>
    team.emails.includes(email) || (slackId !== undefined && team.members.includes(slackId));
  return {
    ...others,
    email,
    slackId,
    emails: emailsOfActor(person),
    isAdmin,
    knownGroups: new Set(teams.map(({ id }) => id)),
    groups: teams.filter((team) => isMember(team)).map(({ id }) => id),
    figuresUntil: person.areEmailsUnsure ? undefined : figuresUntil,
    firstSeenOn,
  };
}

const logged =
  <Value>({ log }: LimitDeps, value: Value) =>
  (error: unknown): Value => {
    log.warn({ err: error }, 'Reading from Slack for a limit policy failed, so a person decides');
    return value;
  };

/** Undefined also if the figures don’t say which e-mails belong to the admins. */
async function readIsAdmin(
  deps: LimitDeps,
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
