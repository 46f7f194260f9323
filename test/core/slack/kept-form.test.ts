import { expect, test } from 'vitest';
import { readPayload, readStoredForm, storedForm } from '../../../src/core/slack/inbound/payload.ts';
import { formValues, FormState } from '../../../src/core/slack/blocks/views.ts';

test('a submitted form is stored only with the values needed to resume', () => {
  const values = {
    email: { email: { type: 'plain_text_input', value: 'mia@acme.example' } },
    shape: {
      shape: { type: 'static_select', selected_option: { text: { type: 'plain_text', text: 'A' }, value: 'a' } },
    },
    file: { file: { type: 'file_input', files: [{ id: 'F1', url_private: 'https://files.slack.com/secret' }] } },
  };
  const read = readPayload({
    type: 'view_submission',
    token: 'verification-token',
    trigger_id: 'trigger-1',
    team: { id: 'T1', domain: 'acme' },
    api_app_id: 'A1',
    user: { id: 'U0MIA', username: 'mia', team_id: 'T1' },
    response_urls: [{ response_url: 'https://hooks.slack.com/actions/1' }],
    view: {
      id: 'V1',
      hash: 'h',
      callback_id: 'form',
      private_metadata: 'm',
      title: { type: 'plain_text', text: 'T' },
      blocks: [{}],
      state: { values },
    },
  });
  if (read.kind !== 'submission') throw new Error('It is a submitted form');
  const kept = storedForm(read.submission);
  expect(kept).toEqual({
    user: { id: 'U0MIA' },
    view: {
      id: 'V1',
      hash: 'h',
      callback_id: 'form',
      private_metadata: 'm',
      title: { text: 'T' },
      state: {
        values: {
          email: { email: { value: 'mia@acme.example' } },
          shape: { shape: { selected_option: { value: 'a' } } },
          file: { file: { files: [{ id: 'F1' }] } },
        },
      },
    },
  });
  const { view } = readStoredForm(JSON.parse(JSON.stringify(kept)));
  const [sent, resumed] = [new FormState(formValues.parse(values)), new FormState(view.state?.values)];
  expect([resumed.text('email'), resumed.option('shape'), resumed.files('file')]).toEqual([
    sent.text('email'),
    sent.option('shape'),
    sent.files('file'),
  ]);
});
