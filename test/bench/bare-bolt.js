/**
 * A Bolt app that acknowledges every command and click and does nothing else: the baseline for the bot's own
 * acknowledgements. Plain JavaScript, as stripping types would cost it time and memory that are not its own.
 */
import { App } from '@slack/bolt';

const signingSecret = process.env['SLACK_SIGNING_SECRET'];

const app = new App({
  token: process.env['SLACK_BOT_TOKEN'] ?? '',
  ...(signingSecret === undefined
    ? { socketMode: true, appToken: process.env['SLACK_APP_TOKEN'] ?? '' }
    : { signingSecret }),
  clientOptions: { slackApiUrl: process.env['SLACK_API_URL'] ?? '' },
});
app.command(/.*/, async ({ ack }) => ack());
app.action(/.*/, async ({ ack }) => ack());

process.on('disconnect', () => process.exit(0));
process.on('SIGTERM', () => process.exit(0));
const server = await app.start(0);
const address = signingSecret === undefined ? null : server.address();
process.send?.({ ready: typeof address === 'object' ? (address?.port ?? 0) : 0 });
