import { withPolicies } from '../../../src/features/limit-policies/store/policy-tables.ts';
import type { MessageView } from '../../../src/sandbox/slack/people/control-types.ts';
import { formValues, messagesIn } from '../digests.ts';
import { clickButton, nextAnswer, typeCommand } from '../slack/conversation.ts';
import { openByCommand, submitForm, textOfView } from '../slack/modals.ts';
import { setLimit } from './known-limit.ts';
import { untilQuiet, askValues, type AskChoices } from './limits.ts';
import { readDatabase } from '../stores/databases.ts';
import type { TestApp } from '../test-app.ts';

export const MIA_EMAIL = 'mia.member@acme.example';

/** What an admin types into the form of a policy; the other fields keep their first values. */
export type PolicyChoices = Record<string, string | string[] | null>;

const RAISE: PolicyChoices = { name: 'Small raises', percent: '50', cap: '2b', creditsAPeriod: '5b', dryRunDays: '0' };

/** Writes a policy in the form; returns the text of the back-test. */
export async function writePolicy(
  { slack }: Pick<TestApp, 'slack'>,
  choices: PolicyChoices = {},
  as = 'ada',
): Promise<string> {
  await openByCommand(slack, as, '/limits', 'policies new');
  return textOfView(await submitForm(slack, as, formValues({ ...RAISE, ...choices })));
}

/** The id of a policy in the text of its screen. */
export function policyIdIn(text: string): string {
  const id = /\(version \d+, `(\w+)`\)/.exec(text)?.[1];
  if (id === undefined) throw new Error(`No policy in: ${text}`);
  return id;
}

/** Clicks a button of an answer that only this person sees. */
export async function press({ slack }: Pick<TestApp, 'slack'>, as: string, message: MessageView, label: string) {
  const since = slack.mark();
  await clickButton(slack, as, message, label);
  return nextAnswer(slack, since);
}

export const openPolicy = ({ slack }: Pick<TestApp, 'slack'>, as: string, id: string) =>
  typeCommand(slack, as, '/limits', `policies ${id}`);

/** Nora activates it. */
export async function activate(scene: Pick<TestApp, 'slack'>, id: string, as = 'nora'): Promise<MessageView> {
  return press(scene, as, await openPolicy(scene, as, id), 'Activate');
}

export async function declareOnlyHere(scene: Pick<TestApp, 'slack'>, as = 'ada'): Promise<MessageView> {
  const status = await typeCommand(scene.slack, as, '/quartermaster');
  return press(scene, as, status, 'Limits are set only here');
}

/** An active policy by Ada and Nora, the declaration, and a limit that Mia has from here. */
export async function actingPolicy(scene: TestApp, choices: PolicyChoices = {}): Promise<string> {
  await setLimit(scene, { email: MIA_EMAIL, value: 900_000_000, at: '2026-02-20T10:00:00.000Z' });
  const id = policyIdIn(await writePolicy(scene, choices));
  await activate(scene, id);
  await declareOnlyHere(scene);
  await untilQuiet(scene);
  return id;
}

/** Makes a request by the form; returns what the form shows in the end. */
export async function requestByForm(scene: TestApp, as: string, choices: AskChoices): Promise<string> {
  await openByCommand(scene.slack, as, '/limits', 'request');
  const view = textOfView(await submitForm(scene.slack, as, askValues(choices)));
  const shown = view.includes('Check before you send') ? textOfView(await submitForm(scene.slack, as)) : view;
  await untilQuiet(scene);
  return shown;
}

/** The texts of notices about policies to a user, oldest first. */
export async function policyNoticesTo(scene: Pick<TestApp, 'slack'>, as: string): Promise<string[]> {
  const { posts } = await messagesIn(scene, 'dm', as);
  return posts
    .filter(({ metadata }) => String(metadata?.event_payload['key']).startsWith('limit-policy:'))
    .map(({ text }) => text);
}

const PAST = 20;

/** Enough past requests that the dry run may be left out. */
export async function storePastRequests({ databaseUrl }: Pick<TestApp, 'databaseUrl'>): Promise<void> {
  const database = readDatabase(databaseUrl);
  const db = withPolicies(database);
  for (let index = 0; index < PAST; index += 1) {
    const at = `2026-02-0${1 + (index % 9)}T1${index % 10}:00:00.000Z`;
    const id = `past${index}`;
    const times = { createdAt: at, expiresAt: at, decidedAt: at };
    await db
      .insertInto('limitRequests')
      .values({ id, kind: 'ask', state: 'denied', requester: 'U0MAX', reason: 'x', people: 1, ...times })
      .execute();
    const amounts = { fromValue: 100, toValue: index < PAST / 2 ? 120 : 900 };
    await db
      .insertInto('limitRequestPeople')
      .values({ requestId: id, email: `past${index}@acme.example`, position: 0, state: 'asked', ...amounts })
      .execute();
  }
  await database.destroy();
}
