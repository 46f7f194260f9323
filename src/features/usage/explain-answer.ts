import { explanationActions, type Explained } from '../../core/figures/explanation/explanation-actions.ts';
import { EXPLANATION_TITLE } from '../../core/figures/explanation/explanation-modal.ts';
import type { ExplainedPart } from '../../core/figures/explanation/explanation.ts';
import { todayOf } from '../../core/analytics/period.ts';
import type { BlockMessage } from '../../core/slack/blocks/blocks.ts';
import { oldButtonSentence, plainMessage } from '../../core/slack/blocks/messages.ts';
import { messageView } from '../../core/slack/blocks/views.ts';
import { splitWords } from '../../core/slack/commands/command-text.ts';
import type { Click, ClickAction } from '../../core/slack/interactions/interactions.ts';
import { audienceOf } from '../../core/slack/people/audience.ts';
import { answerUsage, withoutProgress } from './answer.ts';
import { CHECK_ACTION } from './answer-actions.ts';
import { EXPLAIN_ACTION, OWN_LIMIT, readOwnLimitLine } from '../own/own-limit.ts';
import { answerComparison, COMPARISON_TITLE } from './compare/answer-comparison.ts';
import { parseComparison } from './compare/comparison-words.ts';
import { isComparison } from './usage-command.ts';
import { explainComparison } from './compare/explain-comparison.ts';
import { isAboutPeople, parseUsage, type UsageRequest } from './usage-command.ts';
import type { UsageDeps } from './usage-deps.ts';

export const explainActions = (deps: UsageDeps): ClickAction[] =>
  explanationActions(deps, {
    role: 'member',
    explainAction: EXPLAIN_ACTION,
    checkAction: CHECK_ACTION,
    goneSentence: oldButtonSentence('/usage'),
    read: (about, click, maxAgeMs) => readExplained(deps, about, click, maxAgeMs),
  });

type Reading = Explained | { refusal: ReturnType<typeof messageView> };

const refused = (message: BlockMessage): Reading => ({ refusal: messageView(EXPLANATION_TITLE, message) });
const OLD_BUTTON = refused(plainMessage(oldButtonSentence('/usage')));

/** Reads the answer to these words as the clicker may see it now. @param maxAgeMs see `AnswerQuery` */
async function readExplained(deps: UsageDeps, text: string, click: Click, maxAgeMs?: number): Promise<Reading> {
  if (text === OWN_LIMIT) return readOwnLimit(deps, click);
  const words = splitWords(text);
  const now = deps.clock.now();
  const quiet = withoutProgress(click);
  if (isComparison(words)) {
    const parsed = parseComparison(words, now);
    if (parsed.kind !== 'run') return OLD_BUTTON;
    const answer = await answerComparison(
      deps,
      { request: parsed.request, readers: audienceOf(click.person), maxAgeMs },
      quiet,
    );
    if (answer.kind === 'refusal') return refused(answer.message);
    const { comparison, names } = answer;
    const parts = explainComparison(comparison, todayOf(deps));
    const periods = comparison.sides.map(({ period }) => period);
    const { sides } = parsed.request;
    const ofPeople = sides.some(({ subject }) => subject.kind !== 'default');
    return { title: COMPARISON_TITLE, parts, periods, names, withPeople: click.person.seesPeople || ofPeople };
  }
  const parsed = parseUsage(words, now);
  if (parsed.kind !== 'run') return OLD_BUTTON;
  const request = { ...parsed.request, isMore: true };
  const age = maxAgeMs === undefined ? {} : { maxAgeMs };
  const answer = await answerUsage(deps, { request, readers: audienceOf(click.person), ...age }, quiet);
  if (answer.kind === 'refusal') return refused(answer.message);
  const { view, period, names } = answer;
  return {
    title: view.title,
    parts: [...view.explain(), ...(await ownLimitParts(deps, request, click))],
    periods: [period],
    names,
    withPeople: click.person.seesPeople || isAboutPeople(request),
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

async function readOwnLimit(deps: UsageDeps, { person, log }: Click): Promise<Reading> {
  const parts = (await readOwnLimitLine(deps, person, log))?.explanation ?? [];
  const [first] = parts;
  if (!first) return refused(plainMessage(UNKNOWN_LIMIT));
  return { title: 'Will I run out?', parts, periods: [first.days], names: 'nobody', withPeople: true };
}

const UNKNOWN_LIMIT = 'Your limit or its use isn’t known now. Type /limits for what is known.';
