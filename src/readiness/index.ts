import type { Feature } from '../feature.ts';
import type { Interaction } from '../slack/interactions.ts';
import { splitWords } from '../slack/commands/command-words.ts';
import { header } from '../slack/blocks/blocks.ts';
import { oldButtonSentence, plainMessage } from '../slack/blocks/messages.ts';
import { sendOverviewCsv } from './views/csv-file.ts';
import { SHOW_ACTION, showRequestOn } from './readiness-buttons.ts';
import { MORE_ACTION, showByKey, showOverview, showRepository } from './readiness-handlers.ts';
import type { ReadinessDeps } from './readiness-deps.ts';
import { createReadings } from './reports/reading.ts';
import { readinessSection } from './readiness-digest-section.ts';
import { readinessWatch } from './watch/readiness-watch.ts';
import { noticeMessages } from './watch/readiness-messages.ts';
import { watchJob } from './watch/readiness-notices.ts';
import { parseReadiness, READINESS_HELP, type ReadinessRequest } from './readiness-command.ts';

export function createReadinessFeature(deps: ReadinessDeps): Feature {
  const fullDeps = { ...deps, readings: createReadings(deps) };
  const watch = readinessWatch(fullDeps);
  const run = (request: ReadinessRequest, interaction: Interaction) => {
    if (request.kind === 'repository') return showRepository(fullDeps, request.word, interaction);
    if (request.kind !== 'overview') return watch[request.kind](request, interaction);
    if (request.isCsv) return sendOverviewCsv(fullDeps, request.filter, interaction);
    return showOverview(fullDeps, request, interaction);
  };
  return {
    name: 'readiness',
    commands: [
      {
        help: READINESS_HELP,
        role: 'member',
        read: (words) => {
          const parsed = parseReadiness(words);
          if (parsed.kind !== 'run') return parsed;
          const { request } = parsed;
          const isFile = request.kind === 'overview' && request.isCsv;
          const isQuestion = request.kind === 'repository' || request.kind === 'overview';
          return { kind: 'run', isQuestion, isFile, run: (interaction) => run(request, interaction) };
        },
      },
    ],
    jobs: [watchJob(fullDeps)],
    homeSections: [
      {
        // After the enterprise controls.
        order: 50,
        role: 'manager',
        read: async (person) => [header('Repository readiness'), ...(await watch.homeRows(person))],
      },
    ],
    recurringPosts: (place, person) => watch.recurringPosts(place, person),
    messages: [...watch.messages, ...noticeMessages(deps)],
    digestSections: [readinessSection(fullDeps.readings)],
    actions: [
      { actionId: SHOW_ACTION, role: 'member', run: (click) => showByKey(fullDeps, showRequestOn(click.value), click) },
      {
        actionId: MORE_ACTION,
        role: 'member',
        run: (click) => {
          const parsed = parseReadiness(splitWords(click.value));
          if (parsed.kind === 'run') return run(parsed.request, click);
          return click.reply.add(plainMessage(oldButtonSentence('/readiness')));
        },
      },
      watch.action,
    ],
  };
}
