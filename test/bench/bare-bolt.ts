/** A Bolt app that acknowledges every command and click and does nothing else: what the bot's own acknowledgements are measured against. */
import { App } from '@slack/bolt';

const app = new App({
  token: process.env['SLACK_BOT_TOKEN'] ?? '',
  appToken: process.env['SLACK_APP_TOKEN'] ?? '',
  socketMode: true,
  clientOptions: { slackApiUrl: process.env['SLACK_API_URL'] ?? '' },
});
app.command(/.*/, async ({ ack }) => ack());
app.action(/.*/, async ({ ack }) => ack());

process.on('disconnect', () => process.exit(0));
process.on('SIGTERM', () => process.exit(0));
await app.start();
process.send?.({ ready: 0 });
