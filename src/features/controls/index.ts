import type { Feature } from '../../core/feature.ts';
import { controlsSection } from './controls-digest-section.ts';
import { controlsWatch, watchFromSettings } from './controls-watch.ts';
import { controlsActions, readControlsCommand } from './controls-handlers.ts';
import { createTimeline } from './timeline.ts';
import { controlsHome, readAttention } from './home.ts';
import { noticeMessages } from './notices/delivery.ts';
import type { ControlsDeps } from './core/controls-deps.ts';
import { redactStoredJob } from './poll/redact-stored.ts';
import { createPoller } from './poll/poller.ts';
import { pollWatch } from './poll/poll-watch.ts';
import { CONTROLS_HELP } from './controls-command.ts';

export function createControlsFeature(deps: ControlsDeps): Feature {
  const { job, messages } = pollWatch(deps);
  return {
    name: 'controls',
    commands: [{ help: CONTROLS_HELP, role: 'manager', read: (words, now) => readControlsCommand(deps, words, now) }],
    actions: controlsActions(deps),
    jobs: [
      {
        name: 'controls-from-settings',
        cron: '* * * * *',
        purpose: 'sets up the channel of `CONTROLS_CHANNEL`',
        run: watchFromSettings(deps),
      },
      redactStoredJob(deps),
      job,
    ],
    services: [createPoller(deps)],
    homeSections: [controlsHome(deps)],
    attention: [{ role: 'manager', read: () => readAttention(deps) }],
    recurringPosts: (place, person) => controlsWatch(deps).recurringPosts(place, person),
    belongingsOf: (leaver) => controlsWatch(deps).belongingsOf(leaver),
    digestSections: [controlsSection(deps)],
    timeline: createTimeline(deps),
    messages: [...controlsWatch(deps).messages, ...noticeMessages(deps), ...messages],
  };
}
