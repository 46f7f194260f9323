import { createHmac } from 'node:crypto';

/**
 * The headers with which Slack signs a request.
 *
 * @param atSeconds real time, not the workspace's: the app compares it with its machine's clock
 * @see https://docs.slack.dev/authentication/verifying-requests-from-slack
 */
export function signatureHeaders(
  signingSecret: string,
  body: string,
  atSeconds = Math.floor(Date.now() / 1000),
): Record<'x-slack-request-timestamp' | 'x-slack-signature', string> {
  const timestamp = String(atSeconds);
  const digest = createHmac('sha256', signingSecret).update(`v0:${timestamp}:${body}`).digest('hex');
  return { 'x-slack-request-timestamp': timestamp, 'x-slack-signature': `v0=${digest}` };
}
