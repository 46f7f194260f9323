import { joinMarkup, markup, type Markup } from '../../base/text/markup.ts';
import { commandText } from '../../slack/commands/command-text.ts';
import type { SubscriptionTexts } from '../../watches/watch-texts.ts';
import { unwatchButton } from '../core/controls-buttons.ts';
import { readCursor } from '../core/cursor.ts';
import type { ControlsDeps } from '../core/controls-deps.ts';
import { CONTROLS_KIND, filterOf, type Watch, type WatchFilter } from './watches.ts';

const ASK_AGAIN_MS = 1_000;

export function watchTexts({ db, clock }: Pick<ControlsDeps, 'db' | 'clock'>): SubscriptionTexts {
  return {
    kind: CONTROLS_KIND,
    command: '/controls',
    describe: describeWatch,
    stopButton: ({ channel }) => unwatchButton(channel),
    setUpAgain: (watch) => {
      const channel = `<#${watch.channel}>`;
      const { names, onlyWeaker } = filterOf(watch);
      if (names.length === 0) return onlyWeaker ? commandText`watch ${channel} weaker` : commandText`watch ${channel}`;
      return onlyWeaker
        ? commandText`watch ${channel} weaker only ${names.join(',')}`
        : commandText`watch ${channel} only ${names.join(',')}`;
    },
    writeIntroduction: async (watch) => {
      const cursor = await readCursor(db);
      if (cursor.startedAt === null) {
        const until = new Date(clock.now().getTime() + ASK_AGAIN_MS);
        return { kind: 'wait', until, reason: 'The enterprise control history couldn’t be read yet.' };
      }
      return {
        kind: 'introduction',
        subject: markup`${describeWatch(watch)}, and who made it`,
        start: sinceMarkup(watch.since ?? cursor.revision),
        commands: markup`\`/controls\` shows the latest revision, \`/controls history\` earlier ones. An admin can stop this with \`/controls unwatch\`.`,
      };
    },
  };
}

const describeWatch = (watch: Watch): Markup => watchedMarkup(filterOf(watch));

/** @example watchedMarkup({ names: ['mcpPolicy'], onlyWeaker: false }) // changes to `mcpPolicy` */
export function watchedMarkup({ names, onlyWeaker }: WatchFilter): Markup {
  const all = markup`the enterprise controls`;
  const listed = joinMarkup(names.map((name) => markup`\`${name}\``));
  const what = names.length === 0 ? all : listed;
  if (onlyWeaker) return markup`only changes that weaken ${what}`;
  return names.length === 0 ? markup`every change to ${what}` : markup`changes to ${what}`;
}

function sinceMarkup(revision: number | null): Markup {
  if (revision === null) return markup`There is no revision yet; the first one will be posted here.`;
  return markup`Current revision: *${revision}*. Each later one is posted here once.`;
}
