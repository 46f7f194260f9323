import { amountProblem, readAmountRule } from '../../limits/core/amount-rule.ts';
import { z } from 'zod';
import { markup, mention, type Markup } from '../../../core/base/text/markup.ts';
import { countOf } from '../../../core/base/text/numbers.ts';
import {
  freshChangeAction,
  freshModalAction,
  freshReadAction,
  modalAction,
} from '../../../core/slack/interactions/click-actions.ts';
import { plainMessage } from '../../../core/slack/blocks/messages.ts';
import { modal, sentenceView, type OpenModal } from '../../../core/slack/blocks/views.ts';
import { blocksOf } from '../../../core/slack/blocks/paragraphs.ts';
import { showsMore } from '../../../core/slack/interactions/form-fields.ts';
import { formHandler, freshFormReading } from '../../../core/slack/interactions/forms.ts';
import type { Click, ClickAction, Form, Interaction } from '../../../core/slack/interactions/interactions.ts';
import type { FreshPerson } from '../../../core/slack/people/people.ts';
import type { PolicyDeps } from '../policy-deps.ts';
import {
  activatePolicy,
  createPolicy,
  editPolicy,
  pausePolicy,
  releasePolicy,
  removePolicy,
  resumePolicy,
  stopAllPolicies,
  testPolicy,
  type PolicyChange,
} from '../manage/change-policy.ts';
import { findPolicy } from '../store/policy-store.ts';
import { POLICY_ACTIONS, readAboutPolicy, type AboutPolicy } from './policy-buttons.ts';
import {
  FIRST_VALUES,
  POLICY_FORM,
  POLICY_TITLE,
  LESS_COMMON_FIELD,
  policyFormView,
  readPolicyForm,
  valuesOfRules,
  type PolicyFormValues,
} from './policy-form.ts';
import { policyRefusalText } from '../store/policy-words.ts';
import { policyParagraphs } from './policy-view.ts';
import { showNewTeam } from './team-handlers.ts';
import { draftOf, problemsOf } from './read-policy-form.ts';
import { readFormFacts, readListMessage, readPolicyMessage, readScreenFacts } from './read-screens.ts';

type By = Pick<Interaction<FreshPerson>, 'person' | 'reply'>;

export async function showPolicies(deps: PolicyDeps, by: By): Promise<void> {
  await by.reply.show(await readListMessage(deps));
}

/** `/limits policies k7m2`. */
export async function showPolicy(deps: PolicyDeps, id: string, by: By): Promise<void> {
  await by.reply.show((await readPolicyMessage(deps, id, by.person)) ?? plainMessage(unknownPolicy(id)));
}

const unknownPolicy = (id: string) => markup`There is no policy “${id}”. \`/limits policies\` lists them all.`;

/** `/limits policies stop`: by any admin, at once. */
export async function stopPolicies(deps: PolicyDeps, by: By): Promise<void> {
  const count = await stopAllPolicies(deps, by.person.slackId);
  const news =
    count === 0
      ? markup`No policy was active.`
      : markup`⏹️ *${countOf(count, 'policy', 'policies')} stopped.* People decide until an admin resumes ${count === 1 ? 'it' : 'them'}.`;
  await by.reply.show(await readListMessage(deps, news));
}

export async function showNewPolicy(deps: PolicyDeps, opened: OpenModal): Promise<void> {
  await opened.show(policyFormView(await readFormFacts(deps, false), FIRST_VALUES, ''));
}

async function showEdit(deps: PolicyDeps, { id, version }: AboutPolicy, opened: OpenModal): Promise<void> {
  const policy = await findPolicy(deps.db, id);
  if (!policy || policy.state === 'removed') return opened.show(sentenceView(POLICY_TITLE, unknownPolicy(id)));
  if (policy.version !== version) return opened.show(sentenceView(POLICY_TITLE, RACED));
  const values = valuesOfRules(policy.name, policy.rules);
  await opened.show(policyFormView(await readFormFacts(deps, true), values, JSON.stringify({ id, version })));
}

const RACED = 'Somebody else changed this policy at the same time. Open it again to see how it is now.';

const editedSchema = z.object({ id: z.string().max(20), version: z.int() });

export function policyForms(deps: PolicyDeps): Form[] {
  return [
    formHandler(POLICY_FORM, 'admin', (state, metadata) => {
      const values = readPolicyForm(state);
      const edited = metadata === '' ? undefined : editedSchema.parse(JSON.parse(metadata));
      return freshFormReading(problemsOf(values), 'Checking it …', (by, opened) =>
        save(deps, { values, edited, showsAllFields: state.has(LESS_COMMON_FIELD) }, by, opened),
      );
    }),
  ];
}

interface Submission {
  values: PolicyFormValues;
  edited: AboutPolicy | undefined;
  showsAllFields: boolean;
}

async function save(
  deps: PolicyDeps,
  { values, edited, showsAllFields }: Submission,
  by: Interaction<FreshPerson>,
  opened: OpenModal,
): Promise<void> {
  const team = (await deps.people.teams()).find(({ id }) => id === values.subject);
  const isGroup = values.subject !== 'everybody' && values.subject !== 'person';
  const draft = isGroup && !team ? undefined : draftOf(values, team?.handle);
  if (!draft) {
    const metadata = edited ? JSON.stringify(edited) : '';
    const problem = markup`This team no longer exists in Slack. Choose another.`;
    return opened.show(policyFormView(await readFormFacts(deps, showsAllFields), values, metadata, problem));
  }
  const { rules } = draft;
  const fault = amountProblem(await readAmountRule(deps), rules.kind === 'default' ? rules.limit : rules.cap);
  if (fault !== undefined) {
    const metadata = edited ? JSON.stringify(edited) : '';
    return opened.show(policyFormView(await readFormFacts(deps, showsAllFields), values, metadata, markup`${fault}`));
  }
  const { slackId } = by.person;
  const change: PolicyChange = edited
    ? await editPolicy(deps, edited.id, edited.version, draft, slackId)
    : { kind: 'changed', policy: await createPolicy(deps, draft, slackId) };
  if (change.kind !== 'changed') return opened.show(sentenceView(POLICY_TITLE, problemOf(change, edited?.id ?? '')));
  await showTested(deps, change.policy.id, opened);
  await by.refreshHome();
}

async function showTested(deps: PolicyDeps, id: string, opened: OpenModal): Promise<void> {
  const tested = await testPolicy(deps, id);
  if (tested.kind === 'unreadable') return opened.show(sentenceView(POLICY_TITLE, UNREADABLE));
  if (tested.kind !== 'changed') return opened.show(sentenceView(POLICY_TITLE, problemOf(tested, id)));
  const blocks = blocksOf(policyParagraphs(tested.policy, await readScreenFacts(deps)));
  await opened.show(modal({ title: POLICY_TITLE, blocks }));
}

const UNREADABLE =
  'The draft is saved, but the figures can’t be read now, so it could not be tested. Open it in /limits policies and run the back-test later.';

function problemOf(change: Exclude<PolicyChange, { kind: 'changed' }>, id: string): Markup {
  if (change.kind === 'unknown') return unknownPolicy(id);
  return change.kind === 'raced' ? markup`${RACED}` : policyRefusalText(change.reason, change.policy);
}

const idOf = ({ value }: Click) => z.string().max(20).parse(value);

export function policyActions(deps: PolicyDeps): ClickAction[] {
  const changing = (
    actionId: string,
    change: (about: AboutPolicy, person: FreshPerson) => Promise<PolicyChange>,
    doneWords: (change: Extract<PolicyChange, { kind: 'changed' }>) => Markup,
  ): ClickAction =>
    freshChangeAction(actionId, 'admin', async (click) => {
      const about = readAboutPolicy(click.value);
      const result = await change(about, click.person);
      const news = result.kind === 'changed' ? doneWords(result) : problemOf(result, about.id);
      await click.reply.show(
        (await readPolicyMessage(deps, about.id, click.person, news)) ?? (await readListMessage(deps, news)),
      );
      await click.refreshHome();
    });
  return [
    freshReadAction(POLICY_ACTIONS.choose, 'admin', (click) => showPolicy(deps, idOf(click), click)),
    freshChangeAction(POLICY_ACTIONS.stop, 'admin', (click) => stopPolicies(deps, click)),
    freshChangeAction(POLICY_ACTIONS.test, 'admin', (click) => test(deps, click)),
    freshModalAction(POLICY_ACTIONS.create, 'admin', POLICY_TITLE, (_click, opened) => showNewPolicy(deps, opened)),
    freshModalAction(POLICY_ACTIONS.createTeam, 'admin', POLICY_TITLE, (_click, opened) => showNewTeam(deps, opened)),
    freshModalAction(POLICY_ACTIONS.edit, 'admin', POLICY_TITLE, (click, opened) =>
      showEdit(deps, readAboutPolicy(click.value), opened),
    ),
    modalAction(POLICY_ACTIONS.fields, 'admin', POLICY_TITLE, async (click, opened) => {
      const { state, metadata } = click.form;
      const facts = await readFormFacts(deps, showsMore(click, LESS_COMMON_FIELD));
      await opened.show(policyFormView(facts, readPolicyForm(state), metadata));
    }),
    changing(
      POLICY_ACTIONS.activate,
      ({ id, version, isAlone }, person) => activatePolicy(deps, id, version, person, isAlone === true),
      ({ policy }) => markup`✅ *Activated by ${mention(policy.activatedBy ?? '')}.* Edit it to change its rules.`,
    ),
    changing(
      POLICY_ACTIONS.pause,
      ({ id, version }, { slackId }) => pausePolicy(deps, id, version, slackId),
      () => markup`⏸️ *Paused.* Requests that it approved and that were not sent wait for a person.`,
    ),
    changing(
      POLICY_ACTIONS.resume,
      ({ id, version }, { slackId }) => resumePolicy(deps, id, version, slackId),
      () => markup`▶️ *Resumed.* It decides the next requests.`,
    ),
    changing(
      POLICY_ACTIONS.release,
      ({ id, version, isAlone }, person) => releasePolicy(deps, id, version, person, isAlone === true),
      ({ policy }) => markup`🔓 *Released.* “${policy.name}” no longer holds people or caps.`,
    ),
    changing(
      POLICY_ACTIONS.remove,
      ({ id, version }, { slackId }) => removePolicy(deps, id, version, slackId),
      ({ policy }) =>
        markup`🗑️ *Deleted “${policy.name}”.*${policy.held ? markup` Another admin can release its people.` : markup``}`,
    ),
  ];
}

async function test(deps: PolicyDeps, click: Click<FreshPerson>): Promise<void> {
  const { id } = readAboutPolicy(click.value);
  click.reply.progress('Trying it on the last three months …');
  const result = await testPolicy(deps, id);
  const news =
    result.kind === 'unreadable'
      ? markup`The figures can’t be read now. Run the back-test later.`
      : result.kind === 'changed'
        ? undefined
        : problemOf(result, id);
  await click.reply.show(
    (await readPolicyMessage(deps, id, click.person, news)) ?? (await readListMessage(deps, news)),
  );
}
