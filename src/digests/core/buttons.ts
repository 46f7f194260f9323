import { button, type Button } from '../../slack/blocks/blocks.ts';
import { markup } from '../../base/text/markup.ts';

export const NEW_ACTION = 'digest_new';
export const NOW_ACTION = 'digest_now';
export const EDIT_ACTION = 'digest_edit';
export const PREVIEW_ACTION = 'digest_preview';
export const PAUSE_ACTION = 'digest_pause';
export const RESUME_ACTION = 'digest_resume';
export const REMOVE_ACTION = 'digest_remove';
export const SEND_AGAIN_ACTION = 'digest_send_again';

export function newButton(): Button {
  return button({ text: 'New digest', actionId: NEW_ACTION, style: 'primary' });
}

export function nowButton(id: string, text = 'Send now'): Button {
  return button({ text, actionId: NOW_ACTION, value: id });
}

export function editButton(id: string): Button {
  return button({ text: 'Edit', actionId: EDIT_ACTION, value: id });
}

export function previewButton(id: string): Button {
  return button({ text: 'Preview', actionId: PREVIEW_ACTION, value: id });
}

export function pauseButton(id: string): Button {
  return button({ text: 'Pause', actionId: PAUSE_ACTION, value: id });
}

export function resumeButton(id: string): Button {
  return button({ text: 'Resume', actionId: RESUME_ACTION, value: id });
}

export function removeButton(id: string, what: string): Button {
  return button({
    text: 'Remove',
    actionId: REMOVE_ACTION,
    value: id,
    style: 'danger',
    confirm: {
      title: 'Remove this digest?',
      text: markup`${what} will no longer come. What was posted stays.`,
      confirm: 'Remove',
      deny: 'Keep it',
    },
  });
}

export function sendAgainButton(deliveryKey: string): Button {
  return button({ text: 'Send again', actionId: SEND_AGAIN_ACTION, value: deliveryKey });
}
