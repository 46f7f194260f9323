import { z } from 'zod';
import { formHandler, formReading } from '../../../core/slack/interactions/forms.ts';
import type { Form, Interaction } from '../../../core/slack/interactions/interactions.ts';
import { type OpenModal, modal, sentenceView, type ModalView } from '../../../core/slack/blocks/views.ts';
import { actions, section } from '../../../core/slack/blocks/blocks.ts';
import type { Person } from '../../../core/slack/people/people.ts';
import { withRest, joinMarkup, markup, type Markup } from '../../../core/base/text/markup.ts';
import { formatAmount } from '../../../core/base/text/amounts.ts';
import { makeRequest } from './create.ts';
import type { CardTarget } from '../core/notify.ts';
import { findDraft, keepDraft, deleteDraft } from './drafts.ts';
import { readAdmins, whyUndecidable } from '../rights/deciders.ts';
import type { Names } from '../../../core/base/privacy/disclosure.ts';
import { readEvidence } from '../card/evidence.ts';
import { emailsOf } from '../core/ledger.ts';
import type { LimitDeps } from '../core/limits-deps.ts';
import { findBySession, findRequest, peopleOf, type NewPerson, type RequestContents } from '../core/requests.ts';
import { showButton } from '../core/limit-buttons.ts';
import { stateLine, untilLine } from '../core/state-text.ts';
import { readVisible } from '../rights/visible-requests.ts';
import type { Applier } from '../apply/applier.ts';
import { currentLimitWords, WITHOUT_OWN } from '../core/person-text.ts';
import { amountAfter, readLimitForEverybody } from '../core/own-limit-removal.ts';
import {
  ASK_FORM,
  ASK_TITLE,
  askView,
  EMPTY_INPUT,
  formSchema,
  confirmationView,
  SEND_FORM,
  type AskForm,
} from './request-form.ts';
import { NO_OWN_LIMIT, readLimitRule } from '../core/amount-rule.ts';
import { denialOf } from '../core/access.ts';
import { outlierLines } from '../card/totals-text.ts';
import { NO_EMAIL, OTHERS_ONLY_BY_MANAGERS } from './ask-texts.ts';
import { earlierView, findOwnSession } from './blocked-form.ts';
import type { AskWords } from './ask-words.ts';
import { readAskFacts } from './ask-facts.ts';
import { validateInput, readInputFacts } from './validate-input.ts';
import { showWithDeciders } from './show-deciders.ts';
import { readInput, type RequestInput } from './input.ts';

/** Where the card goes, and what sends a request that a policy approves. */
export interface Sending {
  cardTarget: () => Promise<CardTarget>;
  apply: Applier['apply'];
}

export type By = Pick<Interaction, 'person' | 'reply' | 'refusal'>;

export async function showAskForm(
  deps: LimitDeps,
  words: AskWords,
  { person, reply, refusal }: By,
  opened: OpenModal,
): Promise<void> {
  const isManager = denialOf({ action: 'ask_for_others' }, person) === undefined;
  const mentioned = [
    ...words.people.map((slackId) => ({ slackId, email: undefined })),
    ...words.emails.map((email) => ({ email })),
  ];
  const namesOthers =
    words.people.some((id) => id !== person.slackId) || words.emails.some((email) => email !== person.email);
  // Managers request for anybody, and leads for their people.
  const mayForOthers = isManager || (namesOthers && (await deps.policies.leadsAll(person, mentioned)));
  const isForOthers = mayForOthers && !words.isOwn;
  if (!mayForOthers && namesOthers) return reply.show(await refusal(OTHERS_ONLY_BY_MANAGERS));
  if (!isForOthers && person.email === undefined) return opened.show(sentenceView(ASK_TITLE, NO_EMAIL));
  const people = isForOthers ? words.people : [];
  const input: RequestInput = {
    ...EMPTY_INPUT,
    people,
    emails: words.emails.join('\n'),
    amount: words.amount === undefined ? '' : String(words.amount),
  };
  const named = [...people.map((slackId) => ({ slackId, email: null })), ...words.emails.map((email) => ({ email }))];
  const facts = await readAskFacts(deps, person, input);
  // After the reading, which may be the first one.
  const { whyNoRemoval } = await readLimitRule(deps, person.role);
  const problems = words.amount === NO_OWN_LIMIT && whyNoRemoval !== undefined ? { amount: whyNoRemoval } : {};
  const view = askView({ isForOthers }, input, facts, problems);
  await showWithDeciders(deps, view, { person, people: isForOthers ? named : [person] }, opened);
}

/** Handles a submission: shows faults at their fields, shows doubts once for confirmation, and sends the rest. */
async function submitInput(
  deps: LimitDeps,
  sending: Sending,
  { form, input }: { form: AskForm; input: RequestInput },
  interaction: Interaction,
  opened: OpenModal,
): Promise<void> {
  const { person } = interaction;
  // A client can forge the form, so its claim is not trusted.
  if (form.isForOthers && !(await mayAskFor(deps, person, [])))
    return interaction.reply.show(await interaction.refusal(OTHERS_ONLY_BY_MANAGERS));
  if (!form.isForOthers && person.email === undefined) return opened.show(sentenceView(ASK_TITLE, NO_EMAIL));
  const facts = await readInputFacts(deps, input, person);
  const { problems, warnings: inputWarnings, people } = validateInput(input, facts);
  if (form.isForOthers && !(await mayAskFor(deps, person, people)))
    return interaction.reply.show(await interaction.refusal(OTHERS_ONLY_BY_MANAGERS));
  if (Object.keys(problems).length > 0)
    return showWithDeciders(
      deps,
      askView(form, input, await readAskFacts(deps, person, input), problems),
      { person, people },
      opened,
    );
  const problem = await whyNoAdminCanDecide(deps, person, people);
  if (problem !== undefined) return opened.show(sentenceView(ASK_TITLE, problem));
  const use = await useWarnings(deps, person, people);
  const warnings = [...inputWarnings, ...use.lines];
  const contents: RequestContents = {
    kind: 'ask',
    reason: input.reason,
    until: input.until,
    people,
    ...(await blockedOf(deps, form, person)),
  };
  if (warnings.length === 0) return send(deps, sending, contents, interaction, opened);
  const draft = await keepDraft(deps.db, person.slackId, contents, deps.clock.now());
  await opened.show({ ...confirmationView(draft, linesOf(people), warnings), names: use.names });
}

/** Managers request for anybody, and leads for their people. */
const mayAskFor = async (
  deps: Pick<LimitDeps, 'policies'>,
  person: Person,
  people: readonly NewPerson[],
): Promise<boolean> =>
  denialOf({ action: 'ask_for_others' }, person) === undefined || deps.policies.leadsAll(person, people);

/** A client can forge the session of the form, too. */
async function blockedOf(
  { db }: LimitDeps,
  { isForOthers, isBlocked, sessionKey }: AskForm,
  person: Person,
): Promise<Pick<RequestContents, 'isBlocked' | 'sessionKey'>> {
  if (isForOthers || !isBlocked) return {};
  const session = sessionKey === undefined ? undefined : await findOwnSession(db, sessionKey, person);
  return { isBlocked, ...(session ? { sessionKey: session.id } : {}) };
}

const MAX_WARNED = 5;

/** Requires the right to the figures: even no warning reveals something. Unreadable figures do not block a request. */
async function useWarnings(
  deps: LimitDeps,
  asker: Pick<Person, 'seesPeople' | 'email'>,
  people: readonly NewPerson[],
): Promise<{ lines: Markup[]; names: Names }> {
  const everybody = await readLimitForEverybody(deps.db);
  const visiblePeople = people
    .filter(({ email }) => asker.seesPeople || email === asker.email)
    .map(({ email, to: amount, removes }) => ({ email, amount: amountAfter({ amount, removes }, everybody) }))
    .filter(({ amount }) => Number.isFinite(amount));
  if (visiblePeople.length === 0) return { lines: [], names: 'nobody' };
  const reading = await readEvidence(deps.days, visiblePeople, deps.clock.now());
  if (reading.kind !== 'read') return { lines: [], names: 'nobody' };
  const lines = outlierLines(reading.evidence, MAX_WARNED);
  const of = emailsOf(reading.evidence.outliers);
  if (lines.length === 0) return { lines: [], names: 'nobody' };
  return { lines: [joinMarkup(lines, '\n')], names: { what: 'limit_request', of } };
}

/** Returns why no admin could decide it. If Slack does not list the admins, they find out from their cards. */
async function whyNoAdminCanDecide(
  deps: LimitDeps,
  person: Person,
  people: readonly NewPerson[],
): Promise<string | undefined> {
  try {
    return whyUndecidable(await readAdmins(deps), { requester: person, people }, deps.config.fourEyes);
  } catch (error) {
    deps.log.warn(
      { err: error },
      'Reading the admins from Slack failed; the request is accepted without checking them',
    );
    return undefined;
  }
}

const MAX_LINES = 20;

function linesOf(people: readonly NewPerson[]): Markup[] {
  const lines = people.map(
    ({ email, from, declared, shown, to, removes }) =>
      markup`${email}: ${currentLimitWords(from, declared, shown)} → ${removes ? WITHOUT_OWN : formatAmount(to)}`,
  );
  return withRest(lines, MAX_LINES, (remaining) => markup`and ${remaining} more`);
}

const DRAFT_GONE = 'This was already sent, or is too old. /limits shows what’s open.';

export async function sendDraft(
  deps: LimitDeps,
  sending: Sending,
  draftId: string,
  interaction: Interaction,
  opened: OpenModal,
  change: Partial<Pick<RequestContents, 'reason'>> = {},
): Promise<void> {
  const draft = await findDraft(deps.db, draftId, interaction.person.slackId);
  if (!draft) return opened.show(sentenceView(ASK_TITLE, DRAFT_GONE));
  const isForOthers = draft.people.some(({ email }) => email !== interaction.person.email);
  // The requester may have lost the permission since the form was opened.
  const isImportDenied = draft.kind === 'import' && denialOf({ action: 'import' }, interaction.person) !== undefined;
  if (isForOthers && (isImportDenied || !(await mayAskFor(deps, interaction.person, draft.people))))
    return interaction.reply.show(await interaction.refusal(OTHERS_ONLY_BY_MANAGERS));
  await send(deps, sending, { ...draft, ...change }, interaction, opened, draftId);
}

async function send(
  deps: LimitDeps,
  { cardTarget, apply }: Sending,
  contents: RequestContents,
  interaction: Interaction,
  opened: OpenModal,
  draftId?: string,
): Promise<void> {
  const problem = await whyNoAdminCanDecide(deps, interaction.person, contents.people);
  if (problem !== undefined) return opened.show(sentenceView(ASK_TITLE, problem));
  const target = await cardTarget();
  const { sessionKey } = contents;
  const earlier = sessionKey === undefined ? undefined : await findBySession(deps.db, sessionKey);
  if (earlier) return opened.show(earlierView(earlier));
  const id = await makeRequest(deps, target, interaction.person, contents, (trx) =>
    draftId === undefined ? Promise.resolve(true) : deleteDraft(trx, draftId),
  );
  if (id === undefined) return opened.show(sentenceView(ASK_TITLE, DRAFT_GONE));
  const request = await findRequest(deps.db, id);
  const isGranted = request !== undefined && request.policyId !== null;
  if (isGranted) await apply(request);
  await opened.show(
    isGranted
      ? await grantedView(deps, id, interaction.person)
      : sentView(id, target, await deps.policies.isForTeam(id)),
  );
  await interaction.refreshHome();
}

/** What became of a request that a policy approved. */
async function grantedView({ db }: LimitDeps, id: string, person: Person): Promise<ModalView> {
  const visible = await readVisible(db, id, person, peopleOf);
  const until = visible && untilLine(visible);
  const lines = visible ? [markup`${stateLine(visible)}.`, ...(until ? [markup`${until}.`] : [])] : [];
  return modal({ title: ASK_TITLE, blocks: [section(joinMarkup(lines, '\n')), actions(showButton(id))] });
}

function sentView(id: string, target: CardTarget, isForTeam: boolean): ModalView {
  const toThem = isForTeam
    ? markup`The leads of your team got it first.`
    : markup`The admins got it by direct message.`;
  const where = target.kind === 'channel' ? markup`You can see it in <#${target.channel}>.` : toThem;
  const who = isForTeam ? 'a lead or an admin' : 'an admin';
  const lines = [
    markup`✅ *Sent.* Your request is \`${id}\`. ${where}`,
    markup`Nothing changes until ${who} approves it. You’ll get a direct message when that happens.`,
  ];
  return modal({
    title: ASK_TITLE,
    blocks: [section(joinMarkup(lines, '\n')), actions(showButton(id))],
  });
}

export function askForms(deps: LimitDeps, sending: Sending): Form[] {
  return [
    formHandler(ASK_FORM, 'member', (state, metadata, now) => {
      const form = formSchema.parse(JSON.parse(metadata));
      const { input, problems } = readInput(state, form, now);
      // Slack shows an error only at an input.
      return formReading(problems, 'Checking it …', (by, opened) =>
        submitInput(deps, sending, { form, input }, by, opened),
      );
    }),
    formHandler(SEND_FORM, 'member', (_state, metadata) => {
      const draftId = z.string().max(100).parse(metadata);
      return formReading({}, 'Sending it …', (by, opened) => sendDraft(deps, sending, draftId, by, opened));
    }),
  ];
}
