import { formatPeriod, type Period } from '../../../core/base/time/calendar.ts';
import { formatNumber } from '../../../core/base/text/numbers.ts';
import { commandText, plainWord } from '../../../core/slack/commands/command-text.ts';
import { button, type Button } from '../../../core/slack/blocks/blocks.ts';
import { clip, markup, type Markup } from '../../../core/base/text/markup.ts';
import { buttonAbout, runCommandButton } from '../../../core/slack/blocks/messages.ts';

export const ACTIONS = {
  approve: 'limits_approve',
  review: 'limits_review',
  deny: 'limits_deny',
  give: 'limits_give',
  question: 'limits_question',
  answer: 'limits_answer',
  withdraw: 'limits_withdraw',
  retry: 'limits_retry',
  send: 'limits_send',
  leave: 'limits_leave',
  undo: 'limits_undo',
  extend: 'limits_extend',
  ask: 'limits_ask',
  askAgain: 'limits_ask_again',
  requestMore: 'limits_request_more',
  simulate: 'limits_simulate',
  requestLower: 'limits_request_lower',
  blocked: 'limits_blocked',
} as const;

/** The only place of each label, for code that names a button. */
export const LABELS = {
  approve: 'Approve as requested',
  review: 'Review',
  deny: 'Deny',
  give: 'Give to…',
  question: 'Ask a question',
  answer: 'Answer',
  withdraw: 'Withdraw',
  retry: 'Retry what failed',
  send: 'Send it',
  leave: 'Leave it',
  undo: 'Undo',
  extend: 'Extend',
  askAgain: 'Request again',
  blocked: 'I hit my limit',
} as const;

/** @param what the effect, for the confirmation */
export const approveButton = (id: string, what: Markup): Button =>
  button({
    text: LABELS.approve,
    actionId: ACTIONS.approve,
    value: id,
    style: 'primary',
    confirm: { title: `${LABELS.approve}?`, text: what, confirm: 'Approve', deny: 'Not now' },
  });

/** @param text the effect, for the confirmation */
export const undoButton = (id: string, text: Markup): Button =>
  button({ text: LABELS.undo, actionId: ACTIONS.undo, value: id, confirm: { title: 'Undo this request?', text } });

export const reviewButton = buttonAbout(ACTIONS.review, LABELS.review, 'primary');
export const backButton = buttonAbout(ACTIONS.review, 'Back to the review');
export const denyButton = buttonAbout(ACTIONS.deny, LABELS.deny, 'danger');
export const giveButton = buttonAbout(ACTIONS.give, LABELS.give);
export const questionButton = buttonAbout(ACTIONS.question, LABELS.question);
/** Takes the id of the question. */
export const answerButton = buttonAbout(ACTIONS.answer, LABELS.answer, 'primary');
export const retryButton = buttonAbout(ACTIONS.retry, LABELS.retry, 'primary');
export const extendButton = buttonAbout(ACTIONS.extend, LABELS.extend, 'primary');
/** Opens the form with the contents of a denied or expired request. */
export const askAgainButton = buttonAbout(ACTIONS.askAgain, LABELS.askAgain, 'primary');
const sendButton = buttonAbout(ACTIONS.send, LABELS.send, 'primary');
const leaveButton = buttonAbout(ACTIONS.leave, LABELS.leave);

/** The choices for a request that may already have been sent, or replaced by a later decision. */
export const choiceButtons = (id: string): Button[] => [sendButton(id), leaveButton(id)];

export const askButton = (): Button => button({ text: 'Request a limit', actionId: ACTIONS.ask });

const MAX_REASON_LENGTH = 500;

const moreButton = buttonAbout(ACTIONS.requestMore, 'Request more');
/** Takes the key of the agent’s session; none elsewhere. */
export const blockedButton = (sessionKey = ''): Button =>
  button({ text: LABELS.blocked, actionId: ACTIONS.blocked, ...(sessionKey === '' ? {} : { value: sessionKey }) });

const lowerButton = buttonAbout(ACTIONS.requestLower, 'Request lower limits');

/** Opens the form for a higher limit for oneself; the reason states the credits used. */
export const requestMoreButtons = (used: number, period: Period): Button[] => [
  moreButton(`I used ${formatNumber(used)} credits on ${formatPeriod(period)}.`),
];

export const requestLowerButton = (reason: string): Button => lowerButton(clip(reason, MAX_REASON_LENGTH));

export function simulateButton(about: { draft: string } | { request: string }): Button {
  return button({ text: 'Try it on past months', actionId: ACTIONS.simulate, value: JSON.stringify(about) });
}

export const withdrawButton = buttonAbout(ACTIONS.withdraw, LABELS.withdraw, 'danger', {
  title: 'Withdraw this request?',
  text: markup`It will no longer be reviewed. You can request it again at any time.`,
});

export function showButton(id: string): Button {
  return runCommandButton('Details', '/limits', commandText`show ${plainWord(id)}`);
}
