import { explainButton } from '../../../core/figures/explanation/explanation-modal.ts';
import { plainMessage } from '../../../core/slack/blocks/messages.ts';
import { buttonRow, paragraphMessage } from '../../../core/slack/blocks/paragraphs.ts';
import type { Click } from '../../../core/slack/interactions/interactions.ts';
import { EXPLAIN_ACTION } from '../../own/own-limit.ts';
import { withoutProgress } from '../answer.ts';
import { csvButton } from '../answer-actions.ts';
import { NAMES_SOMEBODY, sharedBy, shareOnce } from '../share.ts';
import type { UsageDeps } from '../usage-deps.ts';
import { answerComparison, COMPARISON_TITLE } from './answer-comparison.ts';
import { isAboutPerson } from './comparison-actions.ts';
import type { ComparisonRequest } from './comparison-words.ts';

/** Posts a comparison of the organization, models or teams as all members of the channel may see it. */
export async function shareComparison(deps: UsageDeps, request: ComparisonRequest, click: Click): Promise<void> {
  if (isAboutPerson(request)) return click.reply.add(plainMessage(NAMES_SOMEBODY));
  await post(deps, request, click, false);
}

/** Posts a comparison of people, or of teams of any size, after Slack’s confirmation. */
export async function shareComparisonWithNames(
  deps: UsageDeps,
  request: ComparisonRequest,
  click: Click,
): Promise<void> {
  await post(deps, request, click, isAboutPerson(request) || click.person.seesPeople);
}

async function post(deps: UsageDeps, request: ComparisonRequest, click: Click, isNamed: boolean): Promise<void> {
  await shareOnce(deps, click, {
    // The rights to each side are decided when it is read.
    access: { allowed: true },
    isNamed,
    read: async (readers) => {
      const answer = await answerComparison(deps, { request, readers }, withoutProgress(click));
      if (answer.kind === 'refusal') return answer;
      const { paragraphs, names, words } = answer;
      const buttons = buttonRow(...(isNamed ? [] : [csvButton(words)]), explainButton(EXPLAIN_ACTION, words));
      return {
        kind: 'answer',
        message: paragraphMessage(COMPARISON_TITLE, paragraphs, buttons, sharedBy(click)),
        names,
      };
    },
  });
}
