import type { View } from '@slack/types';
import { blocks, mrkdwn, option, plain, raw } from './sample-blocks.ts';

const input = (blockId: string, label: string, element: object, extra: object = {}) => ({
  type: 'input',
  block_id: blockId,
  label: plain(label),
  element,
  ...extra,
});

/** A form with a field of every kind. */
export const formView: View = {
  type: 'modal',
  callback_id: 'form',
  title: plain('New request'),
  submit: plain('Send'),
  close: plain('Not now'),
  blocks: blocks(
    input(
      'amount',
      'Amount',
      { type: 'plain_text_input', action_id: 'value', max_length: 4 },
      { hint: plain('Whole credits') },
    ),
    input(
      'reason',
      'Reason',
      { type: 'plain_text_input', action_id: 'value', multiline: true, max_length: 200 },
      { optional: true },
    ),
    input('kind', 'Kind', {
      type: 'radio_buttons',
      action_id: 'value',
      options: [option('daily'), option('weekly', 'on Mondays')],
      initial_option: option('daily'),
    }),
    input(
      'checks',
      'Contents',
      { type: 'checkboxes', action_id: 'value', options: [option('x'), option('y')] },
      { optional: true },
    ),
    input(
      'who',
      'People',
      { type: 'multi_users_select', action_id: 'value', placeholder: plain('Choose people') },
      { optional: true },
    ),
    input(
      'where',
      'Channel',
      { type: 'conversations_select', action_id: 'value', placeholder: plain('Choose a channel') },
      { optional: true },
    ),
    input(
      'repository',
      'Repository',
      { type: 'static_select', action_id: 'value', options: [option('web'), option('docs')] },
      { optional: true },
    ),
    input('time', 'Time', { type: 'timepicker', action_id: 'value', initial_time: '09:00' }, { optional: true }),
    input('instant', 'Instant', { type: 'datetimepicker', action_id: 'value' }, { optional: true }),
    input('files', 'Files', { type: 'file_input', action_id: 'value', max_files: 2 }, { optional: true }),
  ),
};

export const loadingView: View = {
  type: 'modal',
  callback_id: 'loading',
  title: plain('New request'),
  blocks: blocks({ type: 'section', text: mrkdwn(':hourglass_flowing_sand: Reading the limits…') }),
};

export const pushedView: View = {
  type: 'modal',
  title: plain('Sure?'),
  submit: plain('Yes'),
  callback_id: 'sure',
  blocks: blocks({ type: 'section', text: mrkdwn('This is more than usual.') }),
};

export const homeView: View = {
  type: 'home',
  blocks: blocks(
    { type: 'header', text: plain('Your digests') },
    {
      type: 'section',
      text: mrkdwn('Every weekday at 09:00 in <#C0USAGE>'),
      accessory: { type: 'button', action_id: 'pause', text: plain('Pause') },
    },
    {
      type: 'data_table',
      caption: 'Last deliveries',
      rows: [
        [raw('Day'), raw('Outcome')],
        [raw('Mon 2 Mar'), raw('sent')],
      ],
    },
  ),
};
