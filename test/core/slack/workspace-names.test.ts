import { describe, expect, test } from 'vitest';
import { createWorkspaceNames } from '../../../src/core/slack/client/clients.ts';

const inWorkspaceNames = createWorkspaceNames('qm-');
const plainText = (text: string) => ({ type: 'plain_text', text });

describe('text that is sent to Slack', () => {
  test('names commands as the workspace does in every text that is read', () => {
    const sent = (name: string) => ({
      channel: 'C1',
      text: `Type ${name} help`,
      blocks: [
        { type: 'section', text: { type: 'mrkdwn', text: name }, fields: [{ type: 'mrkdwn', text: name }] },
        {
          type: 'actions',
          elements: [{ type: 'button', text: plainText(`Run ${name}`), value: '{"command":"/usage"}' }],
        },
        { type: 'input', label: plainText(name), hint: plainText(name), element: { placeholder: plainText(name) } },
      ],
      view: { title: plainText(name), private_metadata: '/usage' },
    });
    expect(inWorkspaceNames(sent('/usage'))).toEqual(sent('/qm-usage'));
  });

  test('keeps values, choices, typed text, figures and metadata unchanged', () => {
    const sent = {
      metadata: { event_payload: { key: '/usage' } },
      blocks: [
        { type: 'input', element: { type: 'plain_text_input', initial_value: '/usage', action_id: '/usage' } },
        {
          type: 'input',
          element: { type: 'static_select', options: [{ text: plainText('/usage'), value: '/usage' }] },
        },
        { type: 'data_table', rows: [[{ type: 'raw_text', text: '/usage' }]] },
      ],
      file: Buffer.from('/usage'),
      thread: undefined,
    };
    expect(inWorkspaceNames(sent)).toEqual(sent);
    expect(inWorkspaceNames(sent)['file']).toBe(sent.file);
  });

  test('names them in the errors of a form, too', () => {
    const answer = { response_action: 'errors', errors: { amount: 'See /limits.' } };
    expect(inWorkspaceNames(answer)).toEqual({ ...answer, errors: { amount: 'See /qm-limits.' } });
  });

  test('stays within Slack’s bounds of a button and of a text', () => {
    const button = (text: string) => ({ type: 'button', text: plainText(text) });
    const made = inWorkspaceNames({
      short: button(`${'x'.repeat(60)} /usage 7d`),
      long: button(`${'x'.repeat(65)} /usage 7d`),
      text: { type: 'mrkdwn', text: `${'x'.repeat(2_992)} /usage` },
    });
    expect(made).toEqual({
      short: button(`${'x'.repeat(60)} /qm-usage 7d`),
      long: button(`${'x'.repeat(65)} /qm-usag…`),
      text: { type: 'mrkdwn', text: `${'x'.repeat(2_992)} /qm-us…` },
    });
  });
});
