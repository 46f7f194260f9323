import { type CommandHelp, type ParsedCommand, readReference } from '../../core/slack/commands/command-text.ts';
import {
  misunderstood,
  readSubcommand,
  run,
  unexpected,
  type WordList,
} from '../../core/slack/commands/subcommands.ts';

export type ReadinessRequest =
  | { kind: 'overview'; filter: string; isCsv: boolean; offset: number }
  | { kind: 'repository'; word: string }
  | { kind: 'watch' | 'unwatch'; channel: string | undefined; word: string | undefined };

export const READINESS_HELP: CommandHelp = {
  command: '/readiness',
  purpose: 'how ready each repository is for work with agents',
  examples: [
    { text: '', meaning: 'all repositories, least ready first' },
    { text: 'acme/web', meaning: 'one repository: what fails, since when, and the easiest fixes' },
    { text: 'filter web', meaning: 'repositories with a word in their name or address' },
    { text: 'csv', meaning: 'all repositories as a file, by direct message' },
    {
      text: 'watch #channel acme/web',
      meaning: 'post when a score falls, or rises past the next 10% mark (managers)',
    },
    { text: 'unwatch #channel', meaning: 'stop posting there (managers)' },
  ],
};

const OVERVIEW = { kind: 'overview', filter: '', isCsv: false, offset: 0 } as const;

export const READINESS_WORDS: WordList<ReadinessRequest> = {
  initial: 'list',
  subcommands: {
    list: (rest) => readOverview(OVERVIEW, rest),
    csv: (rest) => readOverview({ ...OVERVIEW, isCsv: true }, rest),
    filter: ([filter = '', ...rest]) => readOverview({ ...OVERVIEW, filter }, rest),
    watch: (rest) => readWatch('watch', rest),
    unwatch: (rest) => readWatch('unwatch', rest),
  },
  otherwise: (first, rest, nearest) => {
    if (rest.length === 0) return run({ kind: 'repository', word: first });
    return nearest === undefined ? misunderstood('Only one repository can be shown at a time.', first) : undefined;
  },
};

/** Does not check whether the repository exists. */
export const parseReadiness = (words: readonly string[]) => readSubcommand(words, READINESS_WORDS);

type OverviewRequest = Extract<ReadinessRequest, { kind: 'overview' }>;

function readOverview(request: OverviewRequest, rest: readonly string[]): ParsedCommand<ReadinessRequest> {
  const [word, ...more] = rest;
  if (word === undefined) return run(request);
  const offset = /^from:(\d{1,6})$/.exec(word)?.[1];
  if (offset !== undefined) return readOverview({ ...request, offset: Number(offset) }, more);
  if (word.toLowerCase() === 'csv') return readOverview({ ...request, isCsv: true }, more);
  return unexpected(word);
}

function readWatch(kind: 'watch' | 'unwatch', words: readonly string[]): ParsedCommand<ReadinessRequest> {
  let channel: string | undefined;
  let repository: string | undefined;
  for (const word of words) {
    const reference = readReference(word);
    if (reference?.kind === 'channel' && channel === undefined) channel = reference.slackId;
    else if (word.startsWith('#')) {
      return misunderstood(
        `There is no channel ${word} in this workspace. Pick the name from the list that opens while you type.`,
      );
    } else if (repository === undefined) repository = word;
    else return misunderstood('Only one repository can be watched at a time.');
  }
  return run({ kind, channel, word: repository });
}
