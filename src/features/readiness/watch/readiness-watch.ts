import { markup } from '../../../core/base/text/markup.ts';
import type { BlockMessage } from '../../../core/slack/blocks/blocks.ts';
import { plainMessage } from '../../../core/slack/blocks/messages.ts';
import { commandText } from '../../../core/slack/commands/command-text.ts';
import { channelWatch } from '../../../core/watches/channel-watch.ts';
import type { WatchRequest } from '../../../core/watches/watch-spec.ts';
import { matchRepository } from '../reports/overview.ts';
import type { ReadinessDeps } from '../readiness-deps.ts';
import type { Reading, Readings } from '../reports/reading.ts';
import { readRepository } from '../reports/repository.ts';
import { todayOf } from '../../../core/analytics/period.ts';
import { exampleNotice, readinessNotice } from './readiness-messages.ts';
import { readinessWatches, recordStart } from './readiness-watch-store.ts';

type RepositoryRequest = WatchRequest & { word: string | undefined };

/** `/readiness watch` and `unwatch`: channels that get moves of the score, from the current reports on. */
export const readinessWatch = (deps: ReadinessDeps & { readings: Readings }) =>
  channelWatch(deps, {
    watches: readinessWatches,
    command: '/readiness',
    role: 'manager',
    notice: readinessNotice.name,
    check: async ({ word }: RepositoryRequest) => {
      const reading = await deps.readings.all();
      const target = repositoryOf(reading, word);
      if ('refusal' in target) return target;
      const { key: subject, label } = target;
      const whenStarted = recordStart(reading.repositories, deps.clock.now());
      return { subject, options: { label }, since: null, detail: subject || null, whenStarted };
    },
    subjectToEnd: async ({ word }) => {
      if (word === undefined) return { subject: undefined };
      const target = repositoryOf(await deps.readings.all(), word);
      return 'refusal' in target ? target : { subject: target.key };
    },
    says: {
      alerts: 'Readiness alerts',
      pause: {
        pause: markup`Changes during the pause aren’t posted later; \`/readiness\` shows the current scores.`,
        resume: markup`Only later changes are posted; \`/readiness\` shows the current scores.`,
      },
      next: 'when a score changes',
      example: ({ subject, options: { label } }) =>
        Promise.resolve({ message: exampleNotice(subject, subject === '' ? 'acme/web' : label, todayOf(deps)) }),
      nothing: 'readiness changes',
      what: ({ subject, options: { label } }) =>
        markup`changes to the readiness score of ${subject === '' ? 'every repository' : label}`,
      start: markup`A message comes when it falls, or rises past the next 10% mark; at most one for each report.`,
      more: markup`\`/readiness\` shows all repositories.`,
      again: ({ channel, subject }) =>
        subject === '' ? commandText`watch ${`<#${channel}>`}` : commandText`watch ${`<#${channel}>`} ${subject}`,
      unwatch: ({ subject, options: { label } }) => (subject === '' ? 'unwatch' : `unwatch ${label}`),
    },
  });

function repositoryOf(
  { repositories }: Reading,
  word: string | undefined,
): { key: string; label: string } | { refusal: BlockMessage } {
  if (word === undefined) return { key: '', label: 'any repository' };
  const match = matchRepository(repositories, word, readRepository(word).key);
  switch (match.kind) {
    case 'one':
      return { key: match.reports.repository.key, label: match.reports.repository.label };
    case 'several': {
      const labels = match.repositories.slice(0, 10).map(({ label }) => label);
      return { refusal: plainMessage(`“${word}” is in the names of ${labels.join(', ')}. Which one?`) };
    }
    case 'none':
      return { refusal: plainMessage(`There is no readiness report for “${word}”.`) };
    default:
      return match satisfies never;
  }
}
