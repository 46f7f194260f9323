import { withPolicies } from '../../../src/features/limit-policies/store/policy-tables.ts';
import { readDatabase } from '../stores/databases.ts';
import { startTestApp, type TestApp } from '../test-app.ts';
import { setLimit } from './known-limit.ts';
import { openReview, reviewValues, untilQuiet, type LimitScene } from './limits.ts';
import {
  activate,
  declareOnlyHere,
  MIA_EMAIL,
  policyIdIn,
  requestByForm,
  writePolicy,
  type PolicyChoices,
} from './policies.ts';
import { submitForm, textOfView } from '../slack/modals.ts';

export const TEAM_SETTINGS = { ADMINS: 'U0ADA,U0MORGAN', LIMIT_PERIOD: 'month' };

/** What an admin types into the form of the web team. */
export const TEAM = {
  kind: 'team',
  subject: 'S0WEB',
  leads: ['U0NORA'],
  pool: '300m',
  cap: '2b',
  order: '1',
  name: 'Web',
  // Fields of the other kinds.
  creditsAPeriod: null,
  percent: null,
  dryRunDays: null,
};

/** Mia has a limit of 900 million. */
export async function startTeamApp(settings: Record<string, string> = {}): Promise<TestApp> {
  const scene = await startTestApp({ settings: { ...TEAM_SETTINGS, ...settings } });
  await setLimit(scene, { email: MIA_EMAIL, value: 900_000_000, at: '2026-02-20T10:00:00.000Z' });
  return scene;
}

/** Ada writes the rules of the web team, and Morgan activates them. */
export async function createTeam(scene: LimitScene, choices: PolicyChoices = {}): Promise<string> {
  const id = policyIdIn(await writePolicy(scene, { ...TEAM, ...choices }));
  await activate(scene, id, 'morgan');
  await declareOnlyHere(scene);
  await untilQuiet(scene);
  return id;
}

/** @returns the id of the request */
export async function requestOfMia(scene: TestApp, amount: string): Promise<string> {
  const shown = await requestByForm(scene, 'mia', { amount });
  return /Your request is `(\w+)`/.exec(shown)?.[1] ?? '';
}

/** Somebody approves a request as it is, from their own copy of its card. */
export async function approve(scene: TestApp, id: string, as = 'nora'): Promise<string> {
  await openReview(scene, as, id, 'dm');
  return textOfView(await submitForm(scene.slack, as, reviewValues()));
}

export const setMembers = ({ slack }: Pick<TestApp, 'slack'>, members: string[]) =>
  slack.workspace.userGroups.set('S0WEB', { id: 'S0WEB', handle: 'web-team', name: 'Web team', members });

/** What the pools paid for, as the rows have it. */
export async function readRawCharges({ databaseUrl }: Pick<TestApp, 'databaseUrl'>) {
  const db = readDatabase(databaseUrl);
  const rows = await withPolicies(db).selectFrom('limitTeamCharges').selectAll().execute();
  await db.destroy();
  return rows;
}
