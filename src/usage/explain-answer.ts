import { CHECK_EVERY_MS, MAX_CHECKED_DAYS } from '../analytics/check-days.ts';
import type { Names } from '../base/privacy/disclosure.ts';
import { lengthOf, type Period } from '../base/time/calendar.ts';
import { explanationModal, EXPLANATION_TITLE } from '../figures/explanation/explanation-modal.ts';
import { refusedCheck } from '../figures/explanation/check-limit.ts';
import { checkedResources, checkWords } from '../figures/explanation/check-words.ts';
import type { ExplainedPart } from '../figures/explanation/explanation.ts';
import { figureChanges, readExplanationMetadata, shownFigures } from '../figures/explanation/shown-figures.ts';
import { todayOf } from '../analytics/period.ts';
import type { BlockMessage } from '../slack/blocks/blocks.ts';
import { oldButtonSentence, plainMessage } from '../slack/blocks/messages.ts';
import { messageView, sentenceView, type OpenModal } from '../slack/blocks/views.ts';
import { splitWords } from '../slack/commands/command-words.ts';
import { modalActions } from '../slack/modal-actions.ts';
import type { Click, ClickAction } from '../slack/interactions.ts';
import { audienceOf } from '../slack/people/audience.ts';
import { answerUsage, withoutProgress } from './answer.ts';
import { CHECK_ACTION } from './answer-actions.ts';
import { EXPLAIN_ACTION, OWN_LIMIT } from '../own/explain-limit.ts';
import { answerComparison, COMPARISON_TITLE } from './compare/answer-comparison.ts';
import { isComparison, parseComparison } from './compare/comparison-words.ts';
import { explainComparison } from './compare/explain-comparison.ts';
import { readOwnLimitLine } from '../own/own-line.ts';
import { isAboutPeople, parseUsage, type UsageRequest } from './usage-command.ts';
import type { UsageDeps } from './usage-deps.ts';

/** *How was this worked out?* and *Check now*: rights are checked at each click, and the reader’s decide who is named. */
export const explainActions = (deps: UsageDeps): ClickAction[] =>
  modalActions(
    deps,
    { role: 'member', title: EXPLANATION_TITLE },
    { [EXPLAIN_ACTION]: explain, [CHECK_ACTION]: check },
  );

interface ExplainedAnswer {
  kind: 'answer';
  title: string;
  parts: readonly ExplainedPart[];
  periods: readonly Period[];
  names: Names;
  isAboutPeople: boolean;
}

async function explain(deps: UsageDeps, click: Click, opened: OpenModal): Promise<void> {
  const answer = await readExplained(deps, click.value, click);
  if (answer.kind === 'refusal') return opened.show(messageView(EXPLANATION_TITLE, answer.message));
  const checkAction = isCheckable(answer) ? CHECK_ACTION : undefined;
  await opened.show(await explanationModal(deps, { ...answer, about: click.value, checkAction }, todayOf(deps)));
}

/** Reads the days again, past the store, and compares them with the figures that the modal shows. */
async function check(deps: UsageDeps, click: Click, opened: OpenModal): Promise<void> {
  const shown = readExplanationMetadata(click.form.metadata);
  if (!shown) return opened.show(sentenceView(EXPLANATION_TITLE, oldButtonSentence('/usage')));
  const { about, figures } = shown;
  // Rights come first: a check by a user without them reads nothing.
  const before = await readExplained(deps, about, click, CHECK_EVERY_MS);
  if (before.kind === 'refusal') return opened.show(messageView(EXPLANATION_TITLE, before.message));
  if (!isCheckable(before)) return opened.show(sentenceView(EXPLANATION_TITLE, TOO_LONG));
  const refusal = await refusedCheck(deps, click.person.slackId);
  if (refusal !== undefined) return opened.show(sentenceView(EXPLANATION_TITLE, refusal));
  const times: Date[] = [];
  for (const period of before.periods) {
    const resources = checkedResources(before.parts, period);
    const withPeople = click.person.seesPeople || before.isAboutPeople;
    times.push(await deps.checks.readAgain({ period, resources, withPeople }));
  }
  const after = await readExplained(deps, about, click, CHECK_EVERY_MS);
  if (after.kind === 'refusal') return opened.show(messageView(EXPLANATION_TITLE, after.message));
  const { parts, periods } = after;
  const readAt = times.toSorted((a, b) => a.getTime() - b.getTime())[0] ?? deps.clock.now();
  const changes = figureChanges(figures, shownFigures(parts));
  const result = checkWords({ changes, parts, periods, readAt }, todayOf(deps));
  const explanation = { ...after, about, checkAction: CHECK_ACTION, result };
  await opened.show(await explanationModal(deps, explanation, todayOf(deps)));
}

const isCheckable = ({ periods }: ExplainedAnswer) => periods.every((one) => lengthOf(one) <= MAX_CHECKED_DAYS);
const TOO_LONG = `At most ${MAX_CHECKED_DAYS} days can be checked at once.`;

/** Reads the answer to these words as the clicker may see it now. @param maxAgeMs see `AnswerQuery` */
async function readExplained(
  deps: UsageDeps,
  text: string,
  click: Click,
  maxAgeMs?: number,
): Promise<ExplainedAnswer | { kind: 'refusal'; message: BlockMessage }> {
  if (text === OWN_LIMIT) return readOwnLimit(deps, click);
  const words = splitWords(text);
  const now = deps.clock.now();
  const quiet = withoutProgress(click);
  if (isComparison(words)) {
    const parsed = parseComparison(words, now);
    if (parsed.kind !== 'run') return OLD_BUTTON;
    const answer = await answerComparison(deps, parsed.request, quiet, maxAgeMs);
    if (answer.kind === 'refusal') return answer;
    const { comparison, names } = answer;
    const parts = explainComparison(comparison, todayOf(deps));
    const periods = comparison.sides.map(({ period }) => period);
    const { sides } = parsed.request;
    const ofPeople = sides.some(({ subject }) => subject.kind !== 'default');
    return { kind: 'answer', title: COMPARISON_TITLE, parts, periods, names, isAboutPeople: ofPeople };
  }
  const parsed = parseUsage(words, now);
  if (parsed.kind !== 'run') return OLD_BUTTON;
  const request = { ...parsed.request, isMore: true };
  const age = maxAgeMs === undefined ? {} : { maxAgeMs };
  const answer = await answerUsage(deps, { request, readers: audienceOf(click.person), ...age }, quiet);
  if (answer.kind === 'refusal') return answer;
  const { view, period, names } = answer;
  const isOfPeople = isAboutPeople(request);
  return {
    kind: 'answer',
    title: view.title,
    parts: [...view.explain(), ...(await ownLimitParts(deps, request, click))],
    periods: [period],
    names,
    isAboutPeople: isOfPeople,
  };
}

/** The run-out line above an answer is the clicker’s own, also below a shared answer. */
async function ownLimitParts(
  deps: UsageDeps,
  { subject, view }: UsageRequest,
  { person, log }: Click,
): Promise<readonly ExplainedPart[]> {
  const isAbove = subject.kind === 'me' || (subject.kind === 'default' && view === 'summary');
  return isAbove ? ((await readOwnLimitLine(deps, person, log))?.explanation ?? []) : [];
}

async function readOwnLimit(
  deps: UsageDeps,
  { person, log }: Click,
): Promise<ExplainedAnswer | { kind: 'refusal'; message: BlockMessage }> {
  const parts = (await readOwnLimitLine(deps, person, log))?.explanation ?? [];
  const [first] = parts;
  if (!first) return { kind: 'refusal', message: plainMessage(UNKNOWN_LIMIT) };
  const periods = [first.days];
  return { kind: 'answer', title: 'Will I run out?', parts, periods, names: 'nobody', isAboutPeople: true };
}

const UNKNOWN_LIMIT = 'Your limit or its use isn’t known now. Type /limits for what is known.';

const OLD_BUTTON = { kind: 'refusal', message: plainMessage(oldButtonSentence('/usage')) } as const;
