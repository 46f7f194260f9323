import type { Click, Interaction, OpenModal } from '../feature.ts';
import { actions, message, section, type Button } from '../slack/blocks.ts';
import type { FreshPerson } from '../slack/people.ts';
import { joinMarkup, markup, type Markup } from '../slack/text.ts';
import { modal, sentenceView, type ModalView } from '../slack/views.ts';
import type { Applier } from './applying.ts';
import { retryButton, showButton } from './buttons.ts';
import { readCardFacts } from './card-facts.ts';
import { factsOf, moveRequest, type Decision, type MoveResult } from './decisions.ts';
import { MOST_PEOPLE_SHOWN } from './evidence.ts';
import type { LimitRequest } from './limit-tables.ts';
import type { LimitParts } from './parts.ts';
import { personLine } from './person-lines.ts';
import { countPeople, findRequest, peopleOf, peopleToReview, peopleWithFaults } from './requests.ts';
import { changesOf, MOST_FIELDS, reviewView, REVIEW_TITLE, type Review } from './review-form.ts';
import { refusalLine, stateLine } from './state-lines.ts';
import { stepOf } from './states.ts';

const unknownRequest = (id: string) => `There is no request “${id}”. /limits shows those that are.`;
const lineView = (line: Markup): ModalView => modal({ title: REVIEW_TITLE, blocks: [section(line)] });

/** Opens the review: everything is read again, whatever the message with the button still says. */
export async function showReview(
  parts: LimitParts,
  id: string,
  { person }: Pick<Interaction<FreshPerson>, 'person'>,
  opened: OpenModal,
): Promise<void> {
  const facts = await readCardFacts(parts, id);
  if (!facts) return opened.show(sentenceView(REVIEW_TITLE, unknownRequest(id)));
  const { request } = facts;
  const step = stepOf(factsOf(request), { kind: 'approve', by: person, leavesSomebody: true }, parts.clock.now());
  if (step.kind === 'refused') return opened.show(lineView(refusalLine(step.reason, request)));
  await opened.show(reviewView(facts, await peopleOf(parts.db, id, MOST_FIELDS)));
}

/** Decides as the reviewer wished, sends what was approved, and shows what the platform said of it. */
export async function decideReview(
  parts: LimitParts,
  applier: Applier,
  review: Review,
  interaction: Interaction<FreshPerson>,
  opened: OpenModal,
): Promise<void> {
  const { id, comment } = review;
  const changes = review.verdict === 'deny' ? undefined : changesOf(review, await peopleOfReview(parts, review));
  if (changes && 'problem' in changes) return opened.show(sentenceView(REVIEW_TITLE, changes.problem));
  const decision: Decision = changes ? { kind: 'approve', comment, ...changes } : { kind: 'deny', comment };
  const result = await moveRequest(parts, id, interaction.person, decision);
  if (result.kind === 'moved' && decision.kind === 'approve') await applier.apply(result.request);
  await opened.show(await resultView(parts, id, result));
  if (result.kind === 'moved') await interaction.refreshHome();
}

const peopleOfReview = ({ db }: LimitParts, { id, exceptions }: Review) =>
  peopleToReview(db, id, MOST_FIELDS, [...exceptions.keys()]);

async function resultView(parts: LimitParts, id: string, result: MoveResult): Promise<ModalView> {
  if (result.kind === 'unknown') return sentenceView(REVIEW_TITLE, unknownRequest(id));
  if (result.kind === 'refused') return lineView(refusalLine(result.reason, result.request));
  const { lines, buttons } = await resultLines(parts, result.request);
  return modal({ title: REVIEW_TITLE, blocks: [section(joinMarkup(lines, '\n')), actions(...buttons)] });
}

/** What came of a request, as it stands now. */
async function resultLines({ db }: LimitParts, moved: LimitRequest): Promise<{ lines: Markup[]; buttons: Button[] }> {
  const request = (await findRequest(db, moved.id)) ?? moved;
  const counts = await countPeople(db, request.id);
  const isFaulty = request.state === 'partly_applied' || request.state === 'outcome_unknown';
  const people = await (isFaulty ? peopleWithFaults : peopleOf)(db, request.id, MOST_PEOPLE_SHOWN);
  return {
    lines: [
      markup`${stateLine(request, counts)}.`,
      ...(request.state === 'denied' || request.state === 'applying'
        ? []
        : people.map((person) => markup`•  ${personLine(person)}`)),
      ...(request.people > people.length && request.state === 'applying'
        ? [markup`The card and a direct message to the requester say what comes of it; nobody has to wait here.`]
        : []),
    ],
    buttons: [...(isFaulty ? [retryButton(request.id)] : []), showButton(request.id)],
  };
}

/** Takes a request back. */
export async function withdraw(parts: LimitParts, click: Click<FreshPerson>): Promise<void> {
  const result = await moveRequest(parts, click.value, click.person, { kind: 'withdraw' });
  await answer(click, click.value, result, markup`The request \`${click.value}\` is withdrawn.`);
}

/** Sends what failed once more, and nothing else. */
export async function retry(parts: LimitParts, applier: Applier, click: Click<FreshPerson>): Promise<void> {
  const result = await moveRequest(parts, click.value, click.person, { kind: 'retry' });
  if (result.kind === 'moved') {
    click.reply.progress('Sending what failed …');
    await applier.apply(result.request);
  }
  const { lines } = result.kind === 'moved' ? await resultLines(parts, result.request) : { lines: [] };
  await answer(click, click.value, result, joinMarkup(lines, '\n'));
}

async function answer(click: Click, id: string, result: MoveResult, done: Markup): Promise<void> {
  const line =
    result.kind === 'moved'
      ? done
      : result.kind === 'unknown'
        ? markup`${unknownRequest(id)}`
        : refusalLine(result.reason, result.request);
  await click.reply.add(message(line.text, [section(line)]));
  if (result.kind === 'moved') await click.refreshHome();
}
