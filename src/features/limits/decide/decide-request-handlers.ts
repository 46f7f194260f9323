import { MINUTE_MS } from '../../../core/base/time/durations.ts';
import { amountProblem, readAmountRule } from '../core/amount-rule.ts';
import { readSeenLimits, withoutTime } from '../core/seen-limits.ts';
import { showList } from '../views/request-list.ts';
import { formHandler, freshFormReading } from '../../../core/slack/interactions/forms.ts';
import type { Click, Form, Interaction } from '../../../core/slack/interactions/interactions.ts';
import { type OpenModal, modal, sentenceView, type ModalView } from '../../../core/slack/blocks/views.ts';
import { actions, section, type Button } from '../../../core/slack/blocks/blocks.ts';
import type { FreshPerson } from '../../../core/slack/people/people.ts';
import { joinMarkup, markup, type Markup } from '../../../core/base/text/markup.ts';
import { askNextApproverInTime } from '../approvers/ask-approvers.ts';
import { highestAmount, isFirstApprover } from '../approvers/second-approval.ts';
import { canApproveAtOnce } from '../card/quick-approval.ts';
import { plainMessage, type Refusal } from '../../../core/slack/blocks/messages.ts';
import type { Applier } from '../apply/applier.ts';
import { undoIdOf } from '../core/ids.ts';
import { retryButton, showButton } from '../core/limit-buttons.ts';
import { readCardFacts } from '../card/request-facts.ts';
import { moveRequest, type MoveResult } from './decide.ts';
import { factsOf, findRequest, peopleOf, peopleToReview, peopleWithFaults, sumAmounts } from '../core/requests.ts';
import { isActor, roleDenial } from '../core/access.ts';
import { MAX_PEOPLE_SHOWN, namesInEvidence } from '../card/evidence.ts';
import type { LimitPerson, LimitRequest } from '../core/limit-tables.ts';
import type { LimitDeps } from '../core/limits-deps.ts';
import { personLine } from '../core/person-text.ts';
import { APPROVE_FORM, reviewView, REVIEW_TITLE } from './review-form.ts';
import { changesOf, MAX_FIELDS, readReview, type Review } from './read-form.ts';
import { completeDecider } from '../rights/four-eyes.ts';
import { refusalOf, stateLine, unknownRequest, untilLine } from '../core/state-text.ts';
import { transitionOf } from '../core/states.ts';
import { approvedLines } from '../card/totals-text.ts';
import { readVisible } from '../rights/visible-requests.ts';

/** Opens the review from current data, even if the message with the button is older. */
export async function showReview(
  deps: LimitDeps,
  id: string,
  by: Pick<Interaction<FreshPerson>, 'person' | 'reply' | 'refusal'>,
  opened: OpenModal,
  hasMoved = false,
): Promise<void> {
  const person = await completeDecider(deps, by.person, id);
  const denial = roleDenial(person);
  if (denial) return by.reply.show(await by.refusal(denial));
  const facts = await readCardFacts(deps, id, person, person.seesPeople, person);
  if (!facts) return opened.show(sentenceView(REVIEW_TITLE, unknownRequest(id)));
  const { request, involvement } = facts;
  const approvals = { isSecondNeeded: false, isSecond: true, isByFirstApprover: isFirstApprover(request, person) };
  const event = {
    kind: 'approve',
    by: person,
    involvement,
    approvesAnyone: true,
    isConfirmed: true,
    approvals,
  } as const;
  const transition = transitionOf(factsOf(request), event, deps.clock.now());
  if (transition.kind === 'refused')
    return by.reply.show(await by.refusal(refusalOf(transition.reason, request, person.slackId)));
  const everyone = await peopleOf(deps.db, id);
  const { texts, seen } = await readSeenLimits(deps, everyone, MINUTE_MS);
  const withShown = (one: LimitPerson) => ({ ...one, shownBefore: texts.get(one.email) ?? one.shownBefore });
  const people = everyone.slice(0, MAX_FIELDS).map(withShown);
  const isOwn = ({ slackId, email }: LimitPerson) => isActor({ slackId, email }, person);
  const own = facts.people
    .filter((one) => isOwn(one) && one.state !== 'left_out')
    .reduce((sum, one) => sum + highestAmount(one), 0);
  const others = people.filter((one) => !isOwn(one) && one.state !== 'left_out');
  const names = namesInEvidence(facts.evidence);
  const total = facts.totals.approved ?? facts.totals.requested;
  const shownFacts = { ...facts, people: facts.people.map(withShown) };
  await opened.show({ ...reviewView(shownFacts, others, { approvable: total - own, seen, hasMoved }), names });
}

export const reviewForm = (deps: LimitDeps, applier: Applier): Form =>
  // The router cannot give the reason for a refusal, so the handler does.
  formHandler(APPROVE_FORM, 'member', (state, metadata) => {
    const { review, errors } = readReview(state, metadata);
    return freshFormReading(errors, 'Approving it and setting it on the platform …', (by, opened) =>
      approveReview(deps, applier, review, by, opened),
    );
  });

async function approveReview(
  deps: LimitDeps,
  applier: Applier,
  review: Review,
  interaction: Interaction<FreshPerson>,
  opened: OpenModal,
): Promise<void> {
  const { id, comment, isConfirmed, isSecond } = review;
  const changes = changesOf(review, await peopleOfReview(deps, review));
  if ('problem' in changes) return opened.show(sentenceView(REVIEW_TITLE, changes.problem));
  const denial = roleDenial(await deps.policies.asLead(interaction.person, id));
  if (denial) return interaction.reply.show(await interaction.refusal(denial));
  const { texts, seen } = await readSeenLimits(deps, await peopleOf(deps.db, id), 0);
  // A first look at limits counts as a change, too: the admin approved without them.
  if (seen !== undefined && seen !== review.seen) return showReview(deps, id, interaction, opened, true);
  const rule = await readAmountRule(deps);
  const amounts = [...changes.lowered.values(), ...changes.returns.values(), changes.highestReturn];
  const fault = amounts.map((amount) => amountProblem(rule, amount)).find((one) => one !== undefined);
  if (fault !== undefined) return opened.show(sentenceView(REVIEW_TITLE, fault));
  const result = await moveRequest(deps, id, interaction.person, {
    kind: 'approve',
    seen: texts,
    comment,
    isConfirmed,
    isSecond,
    ...changes,
  });
  if (result.kind === 'moved') await continueApproved(deps, applier, result.request);
  await showResult(deps, { id, result, title: REVIEW_TITLE }, interaction, opened);
}

/** Sends an approved request to the platform, or asks for the second approval. */
async function continueApproved(deps: LimitDeps, applier: Applier, request: LimitRequest): Promise<void> {
  if (request.state === 'second_approval') await askNextApproverInTime(deps, request.id);
  else await applier.apply(request);
}

export async function showResult(
  deps: LimitDeps,
  { id, result, title }: { id: string; result: MoveResult; title: string },
  interaction: Interaction<FreshPerson>,
  opened: OpenModal,
): Promise<void> {
  if (result.kind !== 'moved')
    return interaction.reply.show(await interaction.refusal(refusalOfResult(id, result, interaction.person)));
  await opened.show(await resultView(deps, result.request, title, interaction.person));
  await interaction.refreshHome();
}

const peopleOfReview = ({ db }: LimitDeps, { id, exceptions }: Review) =>
  peopleToReview(db, id, MAX_FIELDS, [...exceptions.keys()]);

async function resultView(
  deps: LimitDeps,
  decided: LimitRequest,
  title: string,
  person: FreshPerson,
): Promise<ModalView> {
  const { lines, buttons } = await resultLines(deps, decided, person);
  return modal({ title, blocks: [section(joinMarkup(lines, '\n')), actions(...buttons)] });
}

const isFaulty = ({ state }: Pick<LimitRequest, 'state'>) => state === 'partly_applied' || state === 'outcome_unknown';

async function resultLines(
  { db, policies }: LimitDeps,
  decided: LimitRequest,
  person: FreshPerson,
): Promise<{ lines: Markup[]; buttons: Button[] }> {
  const viewer = await policies.asLead(person, decided.id);
  const visible = await readVisible(db, decided.id, viewer, async (from, id) => {
    const request = await findRequest(from, id);
    return (request && isFaulty(request) ? peopleWithFaults : peopleOf)(from, id, MAX_PEOPLE_SHOWN);
  });
  if (!visible) return { lines: [], buttons: [] };
  const { request, people } = visible;
  const until = request.state === 'denied' ? undefined : untilLine(visible);
  return {
    lines: [
      markup`${stateLine(visible)}.`,
      ...(request.state === 'denied' || request.state === 'applying'
        ? []
        : people.map((one) => markup`•  ${personLine(one)}`)),
      ...approvedLines(request.people, await sumAmounts(db, request.id)),
      ...(until ? [until] : []),
      ...(request.people > people.length && request.state === 'applying'
        ? [markup`You don’t have to wait here: the card and a direct message to the requester will say how it went.`]
        : []),
    ],
    buttons: [...(isFaulty(request) ? [retryButton(request.id)] : []), showButton(request.id)],
  };
}

/** Approves a request as asked, unless something has since come up that needs a review. */
async function approveAsAsked(
  deps: LimitDeps,
  click: Pick<Click<FreshPerson>, 'value' | 'person'>,
): Promise<MoveResult | { kind: 'needs_review' }> {
  const { value: id } = click;
  const person = await deps.policies.asLead(click.person, id);
  const denial = roleDenial(person);
  if (denial) return { kind: 'forbidden', denial };
  const facts = await readCardFacts(deps, id, person, person.seesPeople, person);
  const isUnusual = facts !== undefined && (facts.involvement === 'requester_for_others' || !canApproveAtOnce(facts));
  const isFirst = facts?.request.state === 'pending' || facts?.request.state === 'handed_on';
  if (isFirst && (isUnusual || (await hasMoved(deps, id)))) return { kind: 'needs_review' };
  return moveRequest(deps, id, person, {
    kind: 'approve',
    comment: '',
    isConfirmed: false,
    lowered: new Map(),
    leftOut: new Set(),
    returns: new Map(),
    highestReturn: undefined,
  });
}

/** Whether the platform shows other limits than the card. */
async function hasMoved(deps: LimitDeps, id: string): Promise<boolean> {
  const people = await peopleOf(deps.db, id);
  const { texts } = await readSeenLimits(deps, people, 0);
  return people.some(({ email, shownBefore }) => {
    const shown = texts.get(email);
    return shown !== undefined && withoutTime(shown) !== withoutTime(shownBefore ?? '');
  });
}

export async function approve(deps: LimitDeps, applier: Applier, click: Click<FreshPerson>): Promise<void> {
  const result = await approveAsAsked(deps, click);
  if (result.kind === 'needs_review') return click.reply.add(plainMessage(NEEDS_REVIEW));
  // A click resumed after a crash may find its own earlier decision.
  const isOwn = result.kind === 'refused' && result.request.decidedBy === click.person.slackId;
  if (result.kind !== 'moved' && !isOwn)
    return click.reply.add(await click.refusal(refusalOfResult(click.value, result, click.person)));
  if (result.request.state !== 'second_approval') click.reply.progress('Setting it on the platform …');
  await continueApproved(deps, applier, result.request);
  await answerWithResult(deps, result.request, click);
}

const NEEDS_REVIEW = 'This request has to be reviewed first. Press Review.';

export async function withdraw(deps: LimitDeps, click: Click<FreshPerson>): Promise<void> {
  const result = await moveRequest(deps, click.value, click.person, { kind: 'withdraw' });
  const answer =
    result.kind === 'moved'
      ? plainMessage(markup`✅ The request \`${click.value}\` is withdrawn.`)
      : await click.refusal(refusalOfResult(click.value, result, click.person));
  const isOver = result.kind === 'moved' || (result.kind === 'refused' && result.reason === 'not_pending');
  // Its button no longer does anything, so the message of the person is replaced by the present list.
  if (isOver && click.isEphemeral) await showList(deps, click, answer.text);
  else await click.reply.add(answer);
  await click.refreshHome();
}

/** Sets the limits from before a request, by a request of its own. */
export async function undo(deps: LimitDeps, applier: Applier, click: Click<FreshPerson>): Promise<void> {
  const result = await moveRequest(deps, click.value, click.person, { kind: 'undo' });
  // A click resumed after a crash may find its own undo.
  const isOwn = result.kind === 'refused' && result.reason === 'undone' && isUndoneBy(result.request, click.person);
  const undoing = result.kind === 'moved' || isOwn ? await findRequest(deps.db, undoIdOf(click.value)) : undefined;
  if (!undoing) {
    if (result.kind === 'moved') throw new Error('An undone request has no undo');
    return click.reply.add(await click.refusal(refusalOfResult(click.value, result, click.person)));
  }
  click.reply.progress('Setting the earlier limit on the platform …');
  await applier.apply(undoing);
  await answerWithResult(deps, undoing, click);
}

const isUndoneBy = ({ undoneBy }: LimitRequest, { slackId }: FreshPerson) => undoneBy === slackId;

const PROGRESS = { retry: 'Sending what failed …', send: 'Sending it …' } as const;

/** Retries only the failed people of a request, or sends or leaves a withheld one. */
export async function resumeRequest(
  deps: LimitDeps,
  applier: Applier,
  kind: 'retry' | 'send' | 'leave',
  click: Click<FreshPerson>,
): Promise<void> {
  const result = await moveRequest(deps, click.value, click.person, { kind });
  if (result.kind !== 'moved')
    return click.reply.add(await click.refusal(refusalOfResult(click.value, result, click.person)));
  if (kind !== 'leave') {
    click.reply.progress(PROGRESS[kind]);
    await applier.apply(result.request);
  }
  await answerWithResult(deps, result.request, click);
}

async function answerWithResult(deps: LimitDeps, decided: LimitRequest, click: Click<FreshPerson>): Promise<void> {
  const { lines } = await resultLines(deps, decided, click.person);
  await click.reply.add(plainMessage(joinMarkup(lines, '\n')));
  await click.refreshHome();
}

function refusalOfResult(
  id: string,
  result: Exclude<MoveResult, { kind: 'moved' }>,
  { slackId }: Pick<FreshPerson, 'slackId'>,
): Refusal {
  if (result.kind === 'refused') return result.because ?? refusalOf(result.reason, result.request, slackId);
  return result.kind === 'unknown' ? unknownRequest(id) : result.denial;
}
