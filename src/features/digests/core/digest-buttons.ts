import { button, type Button } from '../../../core/slack/blocks/blocks.ts';
import { buttonAbout, deleteButton } from '../../../core/slack/blocks/messages.ts';
import { markup } from '../../../core/base/text/markup.ts';

export const ACTIONS = {
  new: 'digest_new',
  finish: 'digest_finish',
  now: 'digest_now',
  edit: 'digest_edit',
  preview: 'digest_preview',
  pause: 'digest_pause',
  resume: 'digest_resume',
  remove: 'digest_remove',
  sendAgain: 'digest_send_again',
  sample: 'digest_sample',
} as const;

export const newButton = (): Button => button({ text: 'New digest', actionId: ACTIONS.new, style: 'primary' });

/** For people who have not set one up yet. */
export const setUpButton = (): Button => button({ text: 'Set up a digest', actionId: ACTIONS.new });
export const sampleButton = (): Button => button({ text: 'Show a sample', actionId: ACTIONS.sample });

export const nowButton = buttonAbout(ACTIONS.now, 'Send now');
export const editButton = buttonAbout(ACTIONS.edit, 'Edit');
export const previewButton = buttonAbout(ACTIONS.preview, 'Preview');
export const pauseButton = buttonAbout(ACTIONS.pause, 'Pause');
export const resumeButton = buttonAbout(ACTIONS.resume, 'Resume');
/** Sends a failed digest again; its value is the key of the delivery. */
export const sendAgainButton = buttonAbout(ACTIONS.sendAgain, 'Send again');

export const removeButton = (id: string, what: string): Button =>
  deleteButton(ACTIONS.remove, 'digest', id, markup`${what} will no longer come. What was posted stays.`);
