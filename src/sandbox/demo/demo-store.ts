import { dayOf, daysOf } from '../../core/base/time/calendar.ts';
import { chooseGroups, chosenGroups } from '../../core/figures/groups/chosen-teams.ts';
import { withLimits } from '../../features/limits/core/limit-tables.ts';
import { declaredSummary, storeDeclaration } from '../../features/limits/declare/declared-limits.ts';
import { openStore } from '../../core/store/database.ts';
import { TEAMS } from './demo-teams.ts';
import { dayNumber } from '../platform/model/calendar.ts';
import { foldDay } from '../platform/model/day-figures.ts';
import type { Organization } from '../platform/model/organization.ts';
import type { SimulatedPlatform } from '../platform/platform.ts';
import type { SandboxSlack } from '../slack/index.ts';

/** Has used 90% of her limit. */
const NEAR = 'mia.member@acme.example';
const NEAR_SHARE = 0.9;
/** Of what the others used last month. */
const AMPLE = 2;
const LIMITED = 10;
const STEP = 10_000;
const DAY_MS = 86_400_000;

/** Stores what the admin Ada did before: she chose the teams, and declared the limits of ten people. */
export async function furnishStore(
  databaseUrl: string,
  slack: Pick<SandboxSlack, 'workspace'>,
  { organization }: Pick<SimulatedPlatform, 'organization'>,
  now: Date,
): Promise<void> {
  const store = await openStore(databaseUrl, undefined, () => now);
  try {
    const db = withLimits(store.db);
    const ada = slack.workspace.findPerson('ada')?.id ?? '';
    const teams = [...slack.workspace.userGroups.values()].filter(({ handle }) =>
      TEAMS.some((team) => team.handle === handle),
    );
    if ((await chosenGroups(store.db)).length === 0)
      await chooseGroups(
        store.db,
        teams.map(({ id }) => id),
        ada,
        now,
      );
    if ((await declaredSummary(db)).people > 0) return;
    const people = limitsOf(organization, now);
    await db
      .transaction()
      .execute((trx) => storeDeclaration(trx, { forEverybody: undefined, people, removed: [] }, ada, now));
  } finally {
    await store.close();
  }
}

function limitsOf(organization: Organization, now: Date): { email: string; amount: number }[] {
  const today = dayOf(now);
  const usedThisMonth = creditsByEmail(
    organization,
    `${today.slice(0, 7)}-01`,
    dayOf(new Date(now.getTime() - DAY_MS)),
  );
  const usedBefore = creditsByEmail(organization, dayOf(new Date(now.getTime() - 29 * DAY_MS)), today);
  const emails = organization.people.flatMap(({ email }) => email?.toLowerCase() ?? []);
  return [NEAR, ...emails.filter((email) => email !== NEAR)].slice(0, LIMITED).map((email) => {
    const used = (email === NEAR ? usedThisMonth.get(email) : undefined) ?? 0;
    const amount = used > 0 ? used / NEAR_SHARE : (usedBefore.get(email) ?? 0) * AMPLE;
    return { email, amount: Math.max(STEP, Math.ceil(amount / STEP) * STEP) };
  });
}

function creditsByEmail(organization: Organization, first: string, last: string): ReadonlyMap<string, number> {
  const credits = new Map<string, number>();
  if (first > last) return credits;
  for (const day of daysOf({ first, last })) {
    for (const { user_email: email, billable_tokens: used } of foldDay(
      organization,
      dayNumber(day),
      1,
    ).users.values()) {
      if (email !== null) credits.set(email.toLowerCase(), (credits.get(email.toLowerCase()) ?? 0) + used);
    }
  }
  return credits;
}
