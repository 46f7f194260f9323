import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/test-app.ts';

let scene: TestApp;
beforeEach(async () => {
  scene = await startTestApp();
});
afterEach(() => scene.close());

/** Types a command and returns what the person sees. */
async function type(as: string, command: string, text = '') {
  const since = scene.slack.mark();
  const delivery = await scene.slack.control.command({ as, channel: 'general', command, text });
  expect(delivery.inTime).toBe(true);
  const { message } = await scene.slack.next('ephemeral', undefined, { since });
  return message;
}

describe('/usage', () => {
  test('shows a manager the figures of the organization', async () => {
    const answer = await type('morgan', '/usage');
    expect(answer.text).toContain('Usage, 23 Feb – 1 Mar 2026');
  });
});
