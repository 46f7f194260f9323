import type { Feature } from '../../core/feature.ts';
import type { Click, ClickAction, ReadCommand } from '../../core/slack/interactions/interactions.ts';
import { splitWords } from '../../core/slack/commands/command-text.ts';
import { question } from '../../core/slack/interactions/verbs.ts';
import type { Person } from '../../core/slack/people/people.ts';
import { oldButtonSentence, plainMessage } from '../../core/slack/blocks/messages.ts';
import { showRest, showUsage } from './answer.ts';
import {
  CSV_ACTION,
  SHARE_ACTION,
  SHARE_WITH_NAMES_ACTION,
  SHOW_MORE_ACTION,
  SHOW_PERIOD_ACTION,
  SHOW_REST_ACTION,
  SHOW_VIEW_ACTION,
} from './answer-actions.ts';
import { showComparison } from './compare/answer-comparison.ts';
import { parseComparison, type ComparisonRequest } from './compare/comparison-words.ts';
import { sendComparisonCsv } from './compare/send-comparison-csv.ts';
import { shareComparison, shareComparisonWithNames } from './compare/share-comparison.ts';
import { isComparison } from './usage-command.ts';
import { explainActions } from './explain-answer.ts';
import { sendCsv } from './send-csv.ts';
import { digestSections } from './usage-digest-sections.ts';
import { disclosuresAction, disclosuresHome } from '../disclosure/home.ts';
import { homeSection } from '../own/home-section.ts';
import type { UsageDeps } from './usage-deps.ts';
import { askForTeamsAction, askForTeamsMessages } from '../teams/ask-for-teams.ts';
import { chooseTeamsAction, teamsForm } from '../teams/team-form.ts';
import { decideAccess, parseUsage, USAGE_HELP, type UsageRequest } from './usage-command.ts';
import { shareUsage, shareWithNames } from './share.ts';

type Run<Request> = (deps: UsageDeps, request: Request, click: Click) => Promise<void>;
type Subcommands = Readonly<Partial<Record<string, (rest: readonly string[]) => ReadCommand>>>;

/** @param subcommands of other features, by the word after `/usage` */
export function createUsageFeature(deps: UsageDeps, subcommands: Subcommands): Feature {
  // A button carries the words of a command, which are parsed and checked because a request can be forged.
  const action = (actionId: string, run: Run<UsageRequest>, compare?: Run<ComparisonRequest>): ClickAction => ({
    actionId,
    role: 'member',
    run: (click) => {
      const words = splitWords(click.value);
      const now = deps.clock.now();
      if (compare && isComparison(words)) {
        const compared = parseComparison(words, now);
        if (compared.kind === 'run') return compare(deps, compared.request, click);
      }
      const parsed = parseUsage(words, now);
      if (parsed.kind === 'run') return run(deps, parsed.request, click);
      return click.reply.add(plainMessage(oldButtonSentence('/usage')));
    },
  });
  return {
    name: 'usage',
    commands: [
      {
        help: USAGE_HELP,
        role: 'member',
        read: (words, now) => {
          const [word = '', ...rest] = words;
          const name = word.toLowerCase();
          const subcommand = Object.hasOwn(subcommands, name) ? subcommands[name] : undefined;
          if (subcommand) return subcommand(rest);
          if (isComparison(words)) {
            const compared = parseComparison(words, now);
            if (compared.kind !== 'run') return compared;
            const { isCsv } = compared.request;
            const run = isCsv ? sendComparisonCsv : showComparison;
            const refuses = (person: Person) =>
              compared.request.sides.some(({ subject }) => !decideAccess(person, { subject, view: 'credits' }).allowed);
            return { ...question((by) => run(deps, compared.request, by)), isFile: isCsv, refuses };
          }
          const parsed = parseUsage(words, now);
          if (parsed.kind !== 'run') return parsed;
          const { request } = parsed;
          const run = request.isCsv ? sendCsv : showUsage;
          const refuses = (person: Person) => !decideAccess(person, request).allowed;
          return { ...question((by) => run(deps, request, by)), isFile: request.isCsv, refuses };
        },
      },
    ],
    actions: [
      ...[SHOW_VIEW_ACTION, SHOW_MORE_ACTION].map((actionId) => action(actionId, showUsage)),
      action(SHOW_PERIOD_ACTION, showUsage, showComparison),
      action(SHOW_REST_ACTION, showRest),
      action(SHARE_ACTION, shareUsage, shareComparison),
      action(SHARE_WITH_NAMES_ACTION, shareWithNames, shareComparisonWithNames),
      action(CSV_ACTION, sendCsv, sendComparisonCsv),
      ...explainActions(deps),
      chooseTeamsAction(deps),
      askForTeamsAction(deps),
      disclosuresAction(deps),
    ],
    forms: [teamsForm(deps)],
    messages: askForTeamsMessages(deps),
    digestSections: digestSections(deps),
    homeSections: [homeSection(deps), disclosuresHome(deps)],
  };
}
