import { joinMarkup, markup, type Markup } from '../../base/markup.ts';
import { commandText } from '../../slack/commands/command-text.ts';
import type { SubscriptionTexts } from '../../subscriptions/subscription-texts.ts';
import { unwatchButton } from '../core/buttons.ts';
import { readCursor } from '../core/cursor.ts';
import type { ControlsDeps } from '../core/deps.ts';
import { CONTROLS_KIND, namesOf, type Watch } from './watches.ts';

const ASK_AGAIN_MS = 1_000;

/** What is said of a watch in its channel, to its owner and in App Home. */
export function watchTexts({ db, clock }: Pick<ControlsDeps, 'db' | 'clock'>): SubscriptionTexts {
  return {
    kind: CONTROLS_KIND,
    command: '/controls',
    describe: describeWatch,
    stopButton: ({ channel }) => unwatchButton(channel),
    setUpAgain: (watch) => {
      const channel = `<#${watch.channel}>`;
      const names = namesOf(watch);
      return names.length === 0 ? commandText`watch ${channel}` : commandText`watch ${channel} only ${names.join(',')}`;
    },
    introduce: async (watch) => {
      const cursor = await readCursor(db);
      if (cursor.started_at === null) {
        const until = new Date(clock.now().getTime() + ASK_AGAIN_MS);
        return { kind: 'wait', until, reason: 'The history of the enterprise controls could not be read yet.' };
      }
      return {
        kind: 'introduction',
        what: markup`${describeWatch(watch)}, and who made it`,
        when: sinceMarkup(watch.since ?? cursor.revision),
        how: markup`\`/controls\` shows the latest revision, \`/controls history\` the ones before. An admin ends this with \`/controls unwatch\`.`,
      };
    },
  };
}

const describeWatch = (watch: Watch): Markup => watchedMarkup(namesOf(watch));

/** @example watchedMarkup(['mcpPolicy']) // changes of `mcpPolicy` */
export function watchedMarkup(names: readonly string[]): Markup {
  if (names.length === 0) return markup`every change of the enterprise controls`;
  return markup`changes of ${joinMarkup(
    names.map((name) => markup`\`${name}\``),
    ', ',
  )}`;
}

function sinceMarkup(revision: number | null): Markup {
  if (revision === null) return markup`There is no revision yet; the first one is posted here.`;
  return markup`The latest revision is *${revision}*; every one after it is posted here, each once.`;
}
