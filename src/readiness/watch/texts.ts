import { z } from 'zod';
import { markup, own, type Markup } from '../../base/text/markup.ts';
import type { ChannelSubscription } from '../../watches/channel-subscription-table.ts';
import { commandText } from '../../slack/commands/command-text.ts';
import { button, type Button } from '../../slack/blocks/blocks.ts';
import type { SubscriptionTexts } from '../../watches/watch-texts.ts';
import { MAX_VALUE_LENGTH } from '../readiness-buttons.ts';
import { labelOf, READINESS_KIND } from './readiness-watch-store.ts';

export const UNWATCH_ACTION = 'readiness_unwatch';
/** The watch in a button’s value, which a client can forge. */
export const unwatchValue = z.object({ channel: z.string().max(40), repository: z.string() });

export const watchTexts: SubscriptionTexts = {
  kind: READINESS_KIND,
  command: '/readiness',
  describe: describeWatch,
  stopButton,
  setUpAgain: ({ channel, subject }) =>
    subject === '' ? commandText`watch ${`<#${channel}>`}` : commandText`watch ${`<#${channel}>`} ${subject}`,
  writeIntroduction: (watch) =>
    Promise.resolve({
      kind: 'introduction',
      subject: describeWatch(watch),
      start: markup`A message comes when it falls, or rises past the next 10% mark; at most one for each report.`,
      commands: markup`\`/readiness\` shows all repositories. A manager can stop this with \`${own(unwatchCommand(watch))}\`.`,
    }),
};

export function describeWatch(watch: ChannelSubscription): Markup {
  return watch.subject === ''
    ? markup`changes to the readiness score of every repository`
    : markup`changes to the readiness score of ${labelOf(watch)}`;
}

function unwatchCommand(watch: ChannelSubscription): string {
  return watch.subject === '' ? '/readiness unwatch' : `/readiness unwatch ${labelOf(watch)}`;
}

function stopButton({ channel, subject }: ChannelSubscription): Button | undefined {
  const value = JSON.stringify({ channel, repository: subject } satisfies z.infer<typeof unwatchValue>);
  if (value.length > MAX_VALUE_LENGTH) return undefined;
  return button({
    text: 'Turn off',
    actionId: UNWATCH_ACTION,
    value,
    confirm: {
      title: 'Stop alerts here?',
      text: markup`The channel will no longer get readiness changes. What was posted stays.`,
      confirm: 'Turn off',
      deny: 'Keep them',
    },
  });
}
