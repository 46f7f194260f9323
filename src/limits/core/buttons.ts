import { commandText, plainWord } from '../../slack/commands/command-text.ts';
import { button, type Button } from '../../slack/blocks/blocks.ts';
import { clip, markup, type Markup } from '../../base/text/markup.ts';
import { buttonAbout, runCommandButton } from '../../slack/blocks/messages.ts';

export const APPROVE_ACTION = 'limits_approve';
export const REVIEW_ACTION = 'limits_review';
export const QUESTION_ACTION = 'limits_question';
export const ANSWER_ACTION = 'limits_answer';
export const WITHDRAW_ACTION = 'limits_withdraw';
export const RETRY_ACTION = 'limits_retry';
export const SEND_ACTION = 'limits_send';
export const LEAVE_ACTION = 'limits_leave';
export const EXTEND_ACTION = 'limits_extend';
export const ASK_ACTION = 'limits_ask';
export const ASK_AGAIN_ACTION = 'limits_ask_again';
export const REQUEST_MORE_ACTION = 'limits_request_more';
export const SIMULATE_ACTION = 'limits_simulate';
export const REQUEST_LOWER_ACTION = 'limits_request_lower';

/** @param what it does, for the confirmation */
export function approveButton(id: string, what: Markup): Button {
  return button({
    text: 'Approve as asked',
    actionId: APPROVE_ACTION,
    value: id,
    style: 'primary',
    confirm: { title: 'Approve as asked?', text: what, confirm: 'Approve', deny: 'Not now' },
  });
}

export const reviewButton = buttonAbout(REVIEW_ACTION, 'Review', 'primary');
export const questionButton = buttonAbout(QUESTION_ACTION, 'Ask a question');
/** By the id of the question. */
export const answerButton = buttonAbout(ANSWER_ACTION, 'Answer', 'primary');
export const retryButton = buttonAbout(RETRY_ACTION, 'Retry what failed', 'primary');
export const extendButton = buttonAbout(EXTEND_ACTION, 'Extend', 'primary');
/** Opens the form as it was filled for a request that came to nothing. */
export const askAgainButton = buttonAbout(ASK_AGAIN_ACTION, 'Ask again', 'primary');
const sendButton = buttonAbout(SEND_ACTION, 'Send it', 'primary');
const leaveButton = buttonAbout(LEAVE_ACTION, 'Leave it');

/** What an admin chooses from where it is not known whether a request was sent, and what was decided after it. */
export const choiceButtons = (id: string): Button[] => [sendButton(id), leaveButton(id)];

export const askButton = (): Button => button({ text: 'Ask for a limit', actionId: ASK_ACTION });

const MAX_REASON_LENGTH = 500;

const moreButton = buttonAbout(REQUEST_MORE_ACTION, 'Request more');
const lowerButton = buttonAbout(REQUEST_LOWER_ACTION, 'Ask for lower limits');

/** Opens the form for a limit of one’s own, with a reason filled in. */
export const requestMoreButton = (reason: string): Button => moreButton(clip(reason, MAX_REASON_LENGTH));

/** Opens the form for limits of others, with a reason filled in. */
export const requestLowerButton = (reason: string): Button => lowerButton(clip(reason, MAX_REASON_LENGTH));

/** What the amounts of a request, or of a draft of one, would have done in periods that are over. */
export function simulateButton(about: { draft: string } | { request: string }): Button {
  return button({ text: 'Try it on past months', actionId: SIMULATE_ACTION, value: JSON.stringify(about) });
}

export function withdrawButton(id: string): Button {
  return button({
    text: 'Withdraw',
    actionId: WITHDRAW_ACTION,
    value: id,
    style: 'danger',
    confirm: {
      title: 'Withdraw this request?',
      text: markup`It will no longer be reviewed. You can ask again any time.`,
      confirm: 'Withdraw',
      deny: 'Keep it',
    },
  });
}

export function showButton(id: string): Button {
  return runCommandButton('Details', '/limits', commandText`show ${plainWord(id)}`);
}
