import { commandText, plainWord } from '../../slack/commands/command-text.ts';
import { button, type Button } from '../../slack/blocks/blocks.ts';
import { clip, markup, type Markup } from '../../base/text/markup.ts';
import { runCommandButton } from '../../slack/blocks/messages.ts';

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

export function reviewButton(id: string, text = 'Review'): Button {
  return button({ text, actionId: REVIEW_ACTION, value: id, style: 'primary' });
}

export function questionButton(id: string): Button {
  return button({ text: 'Ask a question', actionId: QUESTION_ACTION, value: id });
}

export function answerButton(questionId: string): Button {
  return button({ text: 'Answer', actionId: ANSWER_ACTION, value: questionId, style: 'primary' });
}

export function retryButton(id: string): Button {
  return button({ text: 'Retry what failed', actionId: RETRY_ACTION, value: id, style: 'primary' });
}

/** What an admin chooses from where it is not known whether a request was sent, and what was decided after it. */
export function choiceButtons(id: string): Button[] {
  return [
    button({ text: 'Send it', actionId: SEND_ACTION, value: id, style: 'primary' }),
    button({ text: 'Leave it', actionId: LEAVE_ACTION, value: id }),
  ];
}

export function extendButton(id: string): Button {
  return button({ text: 'Extend', actionId: EXTEND_ACTION, value: id, style: 'primary' });
}

/** Opens the form as it was filled for a request that came to nothing. */
export function askAgainButton(id: string): Button {
  return button({ text: 'Ask again', actionId: ASK_AGAIN_ACTION, value: id, style: 'primary' });
}

export function askButton(): Button {
  return button({ text: 'Ask for a limit', actionId: ASK_ACTION });
}

const MAX_REASON_LENGTH = 500;

/** Opens the form for a limit of one’s own, with a reason filled in. */
export function requestMoreButton(reason: string): Button {
  return button({ text: 'Request more', actionId: REQUEST_MORE_ACTION, value: clip(reason, MAX_REASON_LENGTH) });
}

/** What the amounts of a request, or of a draft of one, would have done in periods that are over. */
export function simulateButton(about: { draft: string } | { request: string }): Button {
  return button({ text: 'Try it on past months', actionId: SIMULATE_ACTION, value: JSON.stringify(about) });
}

/** Opens the form for limits of others, with a reason filled in. */
export function requestLowerButton(reason: string): Button {
  const value = clip(reason, MAX_REASON_LENGTH);
  return button({ text: 'Ask for lower limits', actionId: REQUEST_LOWER_ACTION, value });
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
