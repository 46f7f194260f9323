import type { CommandHelp } from '../../../core/slack/commands/command-text.ts';
import { alone, ofOne, readSubcommand, type WordList } from '../../../core/slack/commands/subcommands.ts';

export type BudgetRequest = { kind: 'list' } | { kind: 'new' } | { kind: 'show' | 'edit' | 'remove'; id: string };

export const BUDGET_HELP: CommandHelp = {
  command: '/budget',
  purpose: 'credits for a week, a month or longer, with a warning before they run out',
  examples: [
    { text: '', meaning: 'all budgets: how much is used, where each is heading' },
    { text: 'new', meaning: 'set one up for the organization, a team, people or a model' },
    { text: 'show k7m2', meaning: 'one budget day by day, and its warnings' },
    { text: 'edit k7m2', meaning: 'change its credits or its warnings' },
    { text: 'delete k7m2', meaning: 'delete it; also remove' },
  ],
};

export const BUDGET_WORDS: WordList<BudgetRequest> = {
  initial: 'list',
  subcommands: {
    list: alone({ kind: 'list' }),
    new: alone({ kind: 'new' }),
    show: ofOne('budget', 'show'),
    edit: ofOne('budget', 'edit'),
    delete: ofOne('budget', 'remove'),
    remove: ofOne('budget', 'remove'),
  },
};

/** Reads the words after `/budget`. Whether a budget with the given id exists is looked up later. */
export const parseBudget = (words: readonly string[]) =>
  readSubcommand(
    words.map((word) => word.toLowerCase()),
    BUDGET_WORDS,
  );
