import { App, LogLevel, SocketModeReceiver } from '@slack/bolt';
import { createMovableClock, type MovableClock } from '../../../src/sandbox/demo/movable-clock.ts';
import { createPageRoutes } from '../../../src/sandbox/page/page-routes.ts';
import { startPlatform } from '../../../src/sandbox/platform/platform.ts';
import { startSlack, type SandboxSlack } from '../../../src/sandbox/slack/index.ts';
import { chartBlocks, elementBlocks, moreChartBlocks, tableBlocks, textBlocks } from './sample-blocks.ts';
import { formView, homeView, loadingView, pushedView } from './sample-views.ts';

const silent = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  setLevel: () => {},
  getLevel: () => LogLevel.ERROR,
  setName: () => {},
};

const messages = {
  text: textBlocks,
  charts: chartBlocks,
  bars: moreChartBlocks,
  tables: tableBlocks,
  elements: elementBlocks,
};
const isKnown = (name: string): name is keyof typeof messages => Object.hasOwn(messages, name);

export interface SamplePage {
  address: string;
  slack: SandboxSlack;
  clock: MovableClock;
  stop: () => Promise<void>;
}

/** A sandbox with its page and a small Bolt app that answers `/show <kind>` with sample blocks and `/form` with a modal. */
export async function startSamplePage(port = 0): Promise<SamplePage> {
  const clock = createMovableClock(new Date('2026-03-02T07:30:00Z'), { frozen: true });
  const platform = await startPlatform({ clock, people: 5 });
  const extraRoutes = createPageRoutes({
    clock,
    platformControlUrl: `${platform.baseUrl}/_sandbox`,
    title: 'Sample <sandbox>',
    hints: ['As Morgan type `/show text`', 'Press *Next morning*', 'Become Mia'],
    roles: { morgan: 'manager', mia: 'member', ada: 'admin' },
  });
  const slack = await startSlack({ clock, extraRoutes, port });
  await slack.control.configure({
    commands: [
      {
        command: '/show',
        usageHint: 'text | charts | tables | elements',
        description: 'Shows sample blocks',
        shouldEscape: true,
      },
      { command: '/form', usageHint: '', description: 'Opens a form', shouldEscape: true },
      { command: '/deaf', usageHint: '', description: 'Is never answered', shouldEscape: true },
    ],
  });
  const clientOptions = { slackApiUrl: slack.apiUrl, retryConfig: { retries: 0 } };
  const installerOptions = { clientOptions: { ...clientOptions } };
  const receiver = new SocketModeReceiver({ appToken: slack.appToken, logger: silent, installerOptions });
  const app = new App({ token: slack.botToken, receiver, clientOptions, logger: silent });
  register(app);
  await app.start(0);
  const stop = async () => {
    await app.stop();
    await Promise.all([slack.close(), platform.close()]);
    clock.dispose();
  };
  return { address: slack.address, slack, clock, stop };
}

function register(app: App): void {
  app.command('/show', async ({ command, ack, respond }) => {
    await ack();
    const [kind = '', where = ''] = command.text.split(' ');
    if (!isKnown(kind)) {
      await respond({ text: `No such kind: ${kind}` });
      return;
    }
    const response_type = where === 'here' ? 'in_channel' : 'ephemeral';
    await respond({ response_type, text: `Sample: ${kind}`, blocks: messages[kind] });
  });
  app.command('/form', async ({ command, ack, client }) => {
    await ack();
    const opened = await client.views.open({ trigger_id: command.trigger_id, view: loadingView });
    await client.views.update({ view_id: opened.view?.id ?? '', view: formView });
  });
  app.view('form', async ({ ack, view }) => {
    const amount = Number(view.state.values['amount']?.['value']?.value);
    if (amount > 1000) await ack({ response_action: 'push', view: pushedView });
    else if (amount > 100) await ack({ response_action: 'errors', errors: { amount: 'At most 100 without a reason' } });
    else await ack();
  });
  app.view('sure', async ({ ack }) => ack({ response_action: 'clear' }));
  app.action('silent', () => new Promise<void>(() => {}));
  app.action('details', async ({ ack, respond }) => {
    await ack();
    await respond({ replace_original: false, response_type: 'in_channel', text: 'The *details* in a thread' });
  });
  app.action(/^(approve|reject|pick|pick_for_all|pause)$/, async ({ ack, action, body, respond }) => {
    await ack();
    if (body.type !== 'block_actions' || body.container['type'] === 'view') return;
    await respond({ replace_original: false, text: `Clicked ${JSON.stringify(action)}` });
  });
  app.event('app_home_opened', async ({ event, client }) => {
    await client.views.publish({ user_id: event.user, view: homeView });
  });
}
