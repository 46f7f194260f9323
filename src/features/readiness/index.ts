import type { Feature } from '../../core/feature.ts';
import { readAction } from '../../core/slack/interactions/click-actions.ts';
import type { Interaction } from '../../core/slack/interactions/interactions.ts';
import { splitWords } from '../../core/slack/commands/command-text.ts';
import { change, question, readVerb } from '../../core/slack/interactions/verbs.ts';
import { header } from '../../core/slack/blocks/blocks.ts';
import { oldButtonSentence, plainMessage } from '../../core/slack/blocks/messages.ts';
import { sendOverviewCsv } from './views/csv-file.ts';
import { SHOW_ACTION, showRequestOn } from './readiness-buttons.ts';
import { MORE_ACTION, showByKey, showOverview, showRepository } from './readiness-handlers.ts';
import type { ReadinessDeps } from './readiness-deps.ts';
import type { Readings } from './reports/reading.ts';
import { readinessSection } from './readiness-digest-section.ts';
import { readinessWatch } from './watch/readiness-watch.ts';
import { noticeMessages, unreadMessages } from './watch/readiness-messages.ts';
import { silentWatchJob, watchJob } from './watch/readiness-notices.ts';
import { parseReadiness, READINESS_HELP, type ReadinessRequest } from './readiness-command.ts';

export function createReadinessFeature(deps: ReadinessDeps, readings: Readings): Feature {
  const fullDeps = { ...deps, readings };
  const watch = readinessWatch(fullDeps);
  const show = (request: Extract<ReadinessRequest, { kind: 'overview' }>, by: Interaction) =>
    request.isCsv ? sendOverviewCsv(fullDeps, request.filter, by) : showOverview(fullDeps, request, by);
  return {
    name: 'readiness',
    commands: [
      {
        help: READINESS_HELP,
        role: 'member',
        read: (words) =>
          readVerb<ReadinessRequest>(parseReadiness(words), {
            overview: (request) => ({ ...question((by) => show(request, by)), isFile: request.isCsv }),
            repository: ({ word }) => question((by) => showRepository(fullDeps, word, by)),
            watch: (request) => change((by) => watch.watch(request, by)),
            unwatch: (request) => change((by) => watch.unwatch(request, by)),
          }),
      },
    ],
    jobs: [watchJob(fullDeps), silentWatchJob(deps)],
    homeSections: [
      {
        // After the enterprise controls.
        order: 50,
        role: 'manager',
        read: async (person) => [header('Repository readiness'), ...(await watch.homeRows(person))],
      },
    ],
    recurringPosts: (place, person) => watch.recurringPosts(place, person),
    belongingsOf: (leaver) => watch.belongingsOf(leaver),
    messages: [...watch.messages, ...noticeMessages(deps), ...unreadMessages(deps)],
    digestSections: [readinessSection(fullDeps.readings)],
    actions: [
      readAction(SHOW_ACTION, 'member', (click) => showByKey(fullDeps, showRequestOn(click.value), click)),
      readAction(MORE_ACTION, 'member', (click) => {
        const parsed = parseReadiness(splitWords(click.value));
        if (parsed.kind === 'run' && parsed.request.kind === 'overview') return show(parsed.request, click);
        return click.reply.add(plainMessage(oldButtonSentence('/readiness')));
      }),
      watch.action,
      watch.testAction,
      ...watch.pauseActions,
    ],
  };
}
