import { button, type Button } from '../../slack/blocks/blocks.ts';
import { buttonAbout } from '../../slack/blocks/messages.ts';
import { markup } from '../../base/text/markup.ts';

export const NEW_ACTION = 'digest_new';
export const NOW_ACTION = 'digest_now';
export const EDIT_ACTION = 'digest_edit';
export const PREVIEW_ACTION = 'digest_preview';
export const PAUSE_ACTION = 'digest_pause';
export const RESUME_ACTION = 'digest_resume';
export const REMOVE_ACTION = 'digest_remove';
export const SEND_AGAIN_ACTION = 'digest_send_again';

export const newButton = (): Button => button({ text: 'New digest', actionId: NEW_ACTION, style: 'primary' });

export const nowButton = buttonAbout(NOW_ACTION, 'Send now');
export const editButton = buttonAbout(EDIT_ACTION, 'Edit');
export const previewButton = buttonAbout(PREVIEW_ACTION, 'Preview');
export const pauseButton = buttonAbout(PAUSE_ACTION, 'Pause');
export const resumeButton = buttonAbout(RESUME_ACTION, 'Resume');
/** Of one that failed, by the key of its delivery. */
export const sendAgainButton = buttonAbout(SEND_AGAIN_ACTION, 'Send again');

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
