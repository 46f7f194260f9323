import { explainButton } from '../../../core/figures/explanation/explanation-modal.ts';
import type { Day } from '../../../core/base/time/calendar.ts';
import type { Button, Menu } from '../../../core/slack/blocks/blocks.ts';
import { buttonRow, type Paragraph } from '../../../core/slack/blocks/paragraphs.ts';
import { EXPLAIN_ACTION } from '../../own/own-limit.ts';
import { csvButton, periodMenu, shareButton, shareNamesButton } from '../answer-actions.ts';
import { subjectWord, type Asker, type RequestedSubject } from '../usage-command.ts';
import type { ComparedSide, ComparisonRequest } from './comparison-words.ts';

interface ActionableComparison {
  request: ComparisonRequest;
  /** With the exact days. */
  words: string;
  reader: Asker;
  today: Day;
}

/** The same buttons as below other answers. The period can be chosen if both sides have the same one. */
export function comparisonActions({ request, words, reader, today }: ActionableComparison): Paragraph<never> {
  return buttonRow(
    ...periodMenuOf(request, today),
    ...shareButtons(request, words, reader),
    csvButton(words),
    explainButton(EXPLAIN_ACTION, words),
  );
}

function periodMenuOf({ sides }: ComparisonRequest, today: Day): Menu[] {
  const [one, other] = sides;
  if (one.period.first !== other.period.first || one.period.last !== other.period.last) return [];
  const wordsWith = (period: string) => sides.map((side) => `${period} ${aboutWord(side)}`.trim()).join(' vs ');
  const menu = periodMenu(one.period, today, wordsWith);
  return menu ? [menu] : [];
}

const aboutWord = ({ model, subject }: ComparedSide): string => model ?? subjectWord(subject);

/** Whether it is about single people. Sums of a team can be shared without names, as far as its size permits. */
export const isAboutPerson = ({ sides }: ComparisonRequest): boolean =>
  sides.some(({ subject }) => PERSONAL[subject.kind]);

const PERSONAL: Readonly<Record<RequestedSubject['kind'], boolean>> = {
  default: false,
  group: false,
  me: true,
  person: true,
  email: true,
};

function shareButtons(request: ComparisonRequest, words: string, { seesPeople }: Asker): Button[] {
  if (isAboutPerson(request)) return [shareNamesButton('Share', words)];
  const hasTeam = request.sides.some(({ subject }) => subject.kind === 'group');
  if (!hasTeam || !seesPeople) return [shareButton(words)];
  return [shareButton(words), shareNamesButton('Share with names', words)];
}
