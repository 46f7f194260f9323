import { z } from 'zod';
import {
  freshChangeAction,
  modalAction,
  freshModalAction,
  readAction,
} from '../../core/slack/interactions/click-actions.ts';
import type { Click, ClickAction, ClickInModal, RunOnClick } from '../../core/slack/interactions/interactions.ts';
import type { FreshPerson } from '../../core/slack/people/people.ts';
import type { Role } from '../../core/base/roles.ts';
import type { Applier } from './apply/applier.ts';
import { showGiveForm, GIVE_TITLE } from './approvers/give-request.ts';
import { ASK_TITLE, ENDING_ACTION, PEOPLE_ACTION } from './ask/request-form.ts';
import { showBlockedForm } from './ask/blocked-form.ts';
import { showAskForm } from './ask/request-limit-handlers.ts';
import {
  showFormAgain,
  showAgainForm,
  showExtendForm,
  showRequestLowerForm,
  showRequestMoreForm,
} from './refilled-forms.ts';
import { ACTIONS } from './core/limit-buttons.ts';
import type { LimitDeps } from './core/limits-deps.ts';
import { approve, resumeRequest, showReview, undo, withdraw } from './decide/decide-request-handlers.ts';
import { DENY_TITLE, showDenial } from './decide/deny.ts';
import { REVIEW_TITLE } from './decide/review-form.ts';
import { ANSWER_TITLE, QUESTION_TITLE } from './question/question-form.ts';
import { showAnswerForm, showQuestionForm } from './question/question-handlers.ts';
import { showRequestSimulation } from './simulate/simulate-limits-handlers.ts';
import type { AskWords } from './ask/ask-words.ts';

const NO_WORDS: AskWords = { people: [], emails: [], amount: undefined, isOwn: false };

const reasonOf = ({ value }: Click) => z.string().max(1_000).parse(value);
const idOf = ({ value }: Click) => z.string().max(100).parse(value);

const change = (actionId: string, run: RunOnClick<FreshPerson>): ClickAction =>
  freshChangeAction(actionId, 'member', (click) => run({ ...click, value: idOf(click) }));

const ask = (actionId: string, runInModal: ClickInModal, role: Role = 'member'): ClickAction =>
  modalAction(actionId, role, ASK_TITLE, runInModal);

/** The buttons in cards, lists, messages and App Home. Handlers check permissions, so that a refusal has its reason. */
export function limitActions(deps: LimitDeps, applier: Applier): ClickAction[] {
  const reviewing = (actionId: string, modalTitle: string, show: typeof showDenial): ClickAction =>
    freshModalAction(actionId, 'member', modalTitle, (click, modal) => show(deps, idOf(click), click, modal));
  return [
    reviewing(ACTIONS.review, REVIEW_TITLE, showReview),
    reviewing(ACTIONS.deny, DENY_TITLE, showDenial),
    reviewing(ACTIONS.give, GIVE_TITLE, showGiveForm),
    reviewing(ACTIONS.question, QUESTION_TITLE, showQuestionForm),
    reviewing(ACTIONS.answer, ANSWER_TITLE, showAnswerForm),
    change(ACTIONS.approve, (click) => approve(deps, applier, click)),
    change(ACTIONS.withdraw, (click) => withdraw(deps, click)),
    change(ACTIONS.retry, (click) => resumeRequest(deps, applier, 'retry', click)),
    change(ACTIONS.send, (click) => resumeRequest(deps, applier, 'send', click)),
    change(ACTIONS.undo, (click) => undo(deps, applier, click)),
    change(ACTIONS.leave, (click) => resumeRequest(deps, applier, 'leave', click)),
    ask(ACTIONS.ask, (click, modal) => showAskForm(deps, NO_WORDS, click, modal)),
    ask(ACTIONS.askAgain, (click, modal) => showAgainForm(deps, idOf(click), click, modal)),
    ask(ACTIONS.extend, (click, modal) => showExtendForm(deps, idOf(click), click, modal)),
    ask(ACTIONS.blocked, (click, modal) => showBlockedForm(deps, idOf(click), click, modal)),
    ask(ENDING_ACTION, (click, modal) => showFormAgain(deps, click, modal)),
    ask(PEOPLE_ACTION, (click, modal) => showFormAgain(deps, click, modal)),
    ask(ACTIONS.requestMore, (click, modal) => showRequestMoreForm(deps, reasonOf(click), click, modal)),
    ask(ACTIONS.requestLower, (click, modal) => showRequestLowerForm(deps, reasonOf(click), click, modal), 'manager'),
    readAction(ACTIONS.simulate, 'manager', (click) => showRequestSimulation(deps, click)),
  ];
}
