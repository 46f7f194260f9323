import { dayOf, daysOf } from '../../core/base/time/calendar.ts';
import { chooseGroups, chosenGroups } from '../../core/figures/groups/chosen-teams.ts';
import { withLimits } from '../../features/limits/core/limit-tables.ts';
import { declaredSummary, storeDeclaration } from '../../features/limits/declare/declared-limits.ts';
import { openStore } from '../../core/store/database.ts';
import { TEAMS } from './demo-teams.ts';
import { dayNumber } from '../platform/model/calendar.ts';
import { foldDay } from '../platform/model/day-figures.ts';
import { LIMIT_FOR_EVERYBODY } from '../platform/model/limits-data.ts';
import type { Organization } from '../platform/model/organization.ts';
import type { SimulatedPlatform } from '../platform/platform.ts';
import type { SandboxSlack } from '../slack/index.ts';

/** Has used 90% of her limit. */
const NEAR = 'mia.member@acme.example';
const NEAR_SHARE = 0.9;
/** Of what the others used last month. */
const AMPLE = 2;
const LIMITED = 10;
const NEAR_STEP = 100_000;
const STEP = 1_000_000;
const LEAST = 5_000_000;
const MOST = 50_000_000;
const DAY_MS = 86_400_000;

/**
 * Stores what the admin Ada did before: she chose the teams and, on a platform that does not show limits, declared those
 * of ten people.
 */
export async function furnishStore(
  databaseUrl: string,
  slack: Pick<SandboxSlack, 'workspace'>,
  { organization, edition }: Pick<SimulatedPlatform, 'organization' | 'edition'>,
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
    if (edition === 'today' || (await declaredSummary(db)).people > 0) return;
    const people = usualLimits(organization, now);
    await db
      .transaction()
      .execute((trx) => storeDeclaration(trx, { forEverybody: undefined, people, removed: [] }, ada, now));
  } finally {
    await store.close();
  }
}

/** Sets the limits on a platform that shows them, as they were before the bot came. */
export function furnishLimits({ edition, organization, changeLimitsElsewhere }: SimulatedPlatform, now: Date): void {
  if (edition !== 'today') return;
  const limits = usualLimits(organization, now).map(({ email, amount }) => [email, amount] as const);
  changeLimitsElsewhere({ own: Object.fromEntries(limits) });
}

/** The limits of ten people, and of those for whom the one for everybody would be too low. */
function usualLimits(organization: Organization, now: Date): { email: string; amount: number }[] {
  const today = dayOf(now);
  const usedThisMonth = creditsByEmail(
    organization,
    `${today.slice(0, 7)}-01`,
    dayOf(new Date(now.getTime() - DAY_MS)),
  );
  const usedBefore = creditsByEmail(organization, dayOf(new Date(now.getTime() - 29 * DAY_MS)), today);
  const emails = organization.people.flatMap(({ email }) => email?.toLowerCase() ?? []);
  const near = usedThisMonth.get(NEAR);
  return [NEAR, ...emails.filter((email) => email !== NEAR)].flatMap((email, index) => {
    if (email === NEAR && near !== undefined)
      return [{ email, amount: Math.max(STEP, roundUp(near / NEAR_SHARE, NEAR_STEP)) }];
    const used = usedBefore.get(email) ?? 0;
    if (index >= LIMITED && used * AMPLE <= LIMIT_FOR_EVERYBODY) return [];
    return [{ email, amount: Math.min(MOST, Math.max(LEAST, roundUp(used * AMPLE, STEP))) }];
  });
}

const roundUp = (amount: number, step: number) => Math.ceil(amount / step) * step;

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
