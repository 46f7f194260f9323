import type { Click, Interaction } from '../../core/slack/interactions/interactions.ts';
import { type OpenModal, sentenceView } from '../../core/slack/blocks/views.ts';
import { hasRole } from '../../core/base/roles.ts';
import { NO_EMAIL, OTHERS_ONLY_BY_MANAGERS } from './ask/ask-texts.ts';
import type { By } from './ask/request-limit-handlers.ts';
import { importView } from './import/import-form.ts';
import { permanentAmountOf } from '../../core/figures/known-limit.ts';
import { NO_OWN_LIMIT, readLimitRule } from './core/amount-rule.ts';
import { emailsOf, readLimitsOf } from './core/ledger.ts';
import { isRemoval } from './core/person-text.ts';
import type { LimitPerson } from './core/limit-tables.ts';
import type { LimitDeps } from './core/limits-deps.ts';
import { readAskFacts } from './ask/ask-facts.ts';
import { ASK_TITLE, askView, EMPTY_INPUT, formSchema } from './ask/request-form.ts';
import { peopleOf } from './core/requests.ts';
import { denialOf, isActor } from './core/access.ts';
import { unknownRequest } from './core/state-text.ts';
import { readVisible } from './rights/visible-requests.ts';
import type { VisibleRequest } from './core/visible.ts';
import { readInput, type RequestInput } from './ask/input.ts';
import { showWithDeciders } from './ask/show-deciders.ts';

/** Shows the form to extend a temporary raise: same people and value, and the ledger’s limit to return to. */
export async function showExtendForm(deps: LimitDeps, id: string, by: By, opened: OpenModal): Promise<void> {
  const visible = await readVisible(deps.db, id, by.person, peopleOf);
  if (!visible || visible.request.until === null)
    return opened.show(sentenceView(ASK_TITLE, `There is no raise “${id}” that ends.`));
  await showFilledForm(deps, visible, by, opened, { ending: 'other' });
}

export async function showAgainForm(deps: LimitDeps, id: string, by: By, opened: OpenModal): Promise<void> {
  const visible = await readVisible(deps.db, id, by.person, peopleOf);
  if (!visible) return opened.show(sentenceView(ASK_TITLE, unknownRequest(id)));
  const { request, people } = visible;
  if (request.kind === 'import') return showImportAgain(deps, people, by, opened);
  const until = request.until === null ? undefined : new Date(request.until);
  const [returnTo] = people.flatMap(({ returnValue: value }) => value ?? []);
  const known = await readLimitsOf(deps, emailsOf(people));
  const isReturnKnown = people.every(({ email }) => permanentAmountOf(known(email)) !== undefined);
  await showFilledForm(deps, visible, by, opened, {
    reason: request.reason ?? '',
    ...(until && until > deps.clock.now() ? { ending: 'other' as const, until } : {}),
    back: until && returnTo !== undefined && !isReturnKnown ? String(returnTo) : '',
  });
}

/** Shows the form again with the fields that the chosen end needs, and what the chosen people used. */
export async function showFormAgain(deps: LimitDeps, { person, form }: Click, opened: OpenModal): Promise<void> {
  const askForm = formSchema.parse(JSON.parse(form.metadata));
  const { input } = readInput(form.state, askForm, deps.clock.now());
  const view = askView(askForm, input, await readAskFacts(deps, person, input));
  await showWithDeciders(deps, view, { person, people: askForm.isForOthers ? [] : [person] }, opened);
}

export async function showRequestMoreForm(
  deps: LimitDeps,
  reason: string,
  { person }: Pick<Interaction, 'person'>,
  opened: OpenModal,
): Promise<void> {
  if (person.email === undefined) return opened.show(sentenceView(ASK_TITLE, NO_EMAIL));
  const view = askView({ isForOthers: false }, { ...EMPTY_INPUT, reason }, await readAskFacts(deps, person));
  await showWithDeciders(deps, view, { person, people: [person] }, opened);
}

export async function showRequestLowerForm(
  deps: LimitDeps,
  reason: string,
  { person, reply, refusal }: By,
  opened: OpenModal,
): Promise<void> {
  if (denialOf({ action: 'ask_for_others' }, person)) return reply.show(await refusal(OTHERS_ONLY_BY_MANAGERS));
  const view = askView({ isForOthers: true }, { ...EMPTY_INPUT, reason }, await readAskFacts(deps, person));
  await showWithDeciders(deps, view, { person, people: [] }, opened);
}

async function showImportAgain(
  deps: LimitDeps,
  people: readonly LimitPerson[],
  by: By,
  opened: OpenModal,
): Promise<void> {
  if (denialOf({ action: 'import' }, by.person)) return by.reply.show(await by.refusal(OTHERS_ONLY_BY_MANAGERS));
  const lines = people.map(({ email, toValue: value, removes }) => `${email},${removes === 1 ? NO_OWN_LIMIT : value}`);
  const { whyNoRemoval } = await readLimitRule(deps, by.person.role);
  const view = importView({ list: lines.join('\n'), mayRemove: whyNoRemoval === undefined });
  await showWithDeciders(deps, view, { person: by.person, people }, opened);
}

/** Members can request only their own limit, even if the earlier request was for others. */
async function showFilledForm(
  deps: LimitDeps,
  { people }: VisibleRequest,
  { person, reply, refusal }: By,
  opened: OpenModal,
  more: Partial<RequestInput>,
): Promise<void> {
  const own = people.filter(({ slackId, email }) => isActor({ slackId, email }, person));
  const isForOthers = hasRole(person.role, 'manager') && own.length < people.length;
  const formPeople = isForOthers ? people : own;
  const [first] = formPeople;
  if (!first) return reply.show(await refusal(OTHERS_ONLY_BY_MANAGERS));
  const input: RequestInput = {
    ...EMPTY_INPUT,
    people: isForOthers ? formPeople.flatMap(({ slackId }) => slackId ?? []) : [],
    emails: isForOthers ? formPeople.flatMap(({ slackId, email }) => (slackId === null ? [email] : [])).join('\n') : '',
    amount: isRemoval(first) ? NO_OWN_LIMIT : String(first.setValue ?? first.approvedValue ?? first.toValue),
    ...more,
  };
  const view = askView({ isForOthers }, input, await readAskFacts(deps, person, input));
  await showWithDeciders(deps, view, { person, people: formPeople }, opened);
}
