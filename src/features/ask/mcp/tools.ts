import { z } from 'zod';
import { VIEWS } from '../../usage/usage-command.ts';

/** Longer arguments are no words of commands. */
const words = (description: string) => z.string().max(200).optional().describe(description);

const PERIOD =
  'UTC days, such as yesterday, 7d, 28d, last week, last month, this month, october, q3, since nov 1, 2026-11-01..2026-11-07. Left out: the last 7 published days.';
const SUBJECT = 'me, the e-mail or name of a person, or the handle of a team such as @web-team.';

const toolArguments = z.object({
  period: words(PERIOD),
  side: words(`A view: ${VIEWS.slice(0, -1).join(', ')} or ${VIEWS.at(-1) ?? ''}. Left out: a summary.`),
  subject: words(SUBJECT),
  repository: words('The name of a repository, such as acme/web. Left out: all of them.'),
  name: words('The name of a computer. Left out: all of them.'),
  id: words('The id of a budget from the list. Left out: all of them.'),
});
export type ToolArguments = z.infer<typeof toolArguments>;

export interface Tool {
  name: string;
  title: string;
  description: string;
  arguments: z.ZodType<Partial<ToolArguments>>;
  command: string;
  /** Subjects that are words of the command. */
  subjects?: Readonly<Record<string, string>>;
  /** The command lists people by name whatever the reader may see, so it runs as for a member if people are hidden. */
  listsPeople?: (words: readonly (string | undefined)[]) => boolean;
  /** What to do in Slack, for arguments that ask for more than reading. */
  answeredInSlack?: (given: Partial<ToolArguments>) => string | undefined;
  /** The words after the command; `subject` is a word of the commands already. */
  words: (given: Partial<ToolArguments>) => readonly (string | undefined)[];
}

const OF_TEAMS = { team: 'team', 'my team': 'team', 'our team': 'team', teams: 'teams', 'all teams': 'teams' };
const WANTS_MORE = /^\s*(?:request|raise|increase|more|set)\b/i;

const { shape } = toolArguments;
const onlyPeriod = z.object({ period: shape.period });

/** Each runs a slash command that only reads, so that its figures, rights and words are those of the command. */
export const TOOLS: readonly Tool[] = [
  {
    name: 'usage',
    title: 'Usage',
    description: 'Credits and activity of the organization, a team or a person in a period, with a comparison.',
    arguments: z.object({ period: shape.period, side: shape.side, subject: shape.subject }),
    command: '/usage',
    words: ({ side, period, subject }) => [side, period, subject],
  },
  {
    name: 'will_i_run_out',
    title: 'Will I run out?',
    description:
      'The credits that the person used this month, their limit as far as it is known, and when they reach it at this pace.',
    arguments: z.object({}),
    command: '/usage',
    words: () => ['this month', 'me'],
  },
  {
    name: 'limits',
    title: 'Credit limits',
    description:
      'Requests for credit limits, the limits that were set here for a person, and what the pool of a team has left. It changes nothing: to request a limit, the person types /limits request in Slack.',
    arguments: z.object({
      subject: words(
        'A person: me, an e-mail or a name. A pool: team, the handle of a team such as @web-team, or teams for all. Left out: open and recent requests.',
      ),
    }),
    command: '/limits',
    subjects: OF_TEAMS,
    // What a lead sees of a team is left out where a model reads it.
    listsPeople: ([first]) => first !== 'team' && first !== 'teams',
    answeredInSlack: ({ subject = '' }) =>
      WANTS_MORE.test(subject)
        ? 'This changes nothing. To request a limit, the person types /limits request in Slack; an admin decides.'
        : undefined,
    words: ({ subject = '' }) => (subject.startsWith('<!subteam^') ? ['team', subject] : [subject]),
  },
  {
    name: 'budgets',
    title: 'Budgets',
    description: 'Budgets of credits: how much is used, and where each is heading.',
    arguments: z.object({ id: shape.id }),
    command: '/budget',
    words: ({ id }) => (id === undefined ? [] : ['show', id]),
  },
  {
    name: 'readiness',
    title: 'Readiness of repositories',
    description: 'How ready each repository is for work with agents, what fails and the easiest fixes.',
    arguments: z.object({ repository: shape.repository }),
    command: '/readiness',
    words: ({ repository }) => [repository],
  },
  {
    name: 'computers',
    title: 'Computers',
    description: 'The computers that sessions run on, and their state.',
    arguments: z.object({ name: shape.name }),
    command: '/computers',
    words: ({ name }) => (name === undefined ? [] : ['show', name]),
  },
  {
    name: 'controls',
    title: 'Enterprise controls',
    description: 'What changed in the enterprise controls and who changed it; without a period the latest revision.',
    arguments: onlyPeriod,
    command: '/controls',
    words: ({ period }) => [period],
  },
  {
    name: 'explain_digest',
    title: 'Why did a digest come, or not?',
    description: 'What happened to each digest of the last 14 days, or of a period, and why.',
    arguments: onlyPeriod,
    command: '/digest',
    words: ({ period }) => ['why', period],
  },
  {
    name: 'what_moved',
    title: 'What moved?',
    description: 'Which models, tools and teams changed most against the period before.',
    arguments: onlyPeriod,
    command: '/usage',
    words: ({ period }) => ['moved', period],
  },
];
