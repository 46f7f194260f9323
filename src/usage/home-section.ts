import { commandText } from '../slack/commands/command-text.ts';
import type { HomeSection } from '../slack/interactions.ts';
import { actions, context, header, section, type Block } from '../slack/blocks/blocks.ts';
import { reportError } from '../slack/blocks/faults.ts';
import { runCommandButton } from '../slack/blocks/messages.ts';
import type { Person } from '../slack/people/people.ts';
import { formatPeriod, readPeriod } from '../base/calendar.ts';
import { cutToExisting } from '../analytics/existing-period.ts';
import { markup, type Markup } from '../base/markup.ts';
import { formatNumber, formatShare } from '../base/numbers.ts';
import type { UsageDeps } from './deps.ts';
import { sumOf } from './measures/figures.ts';
import { readFacts } from './facts.ts';
import { todayOf } from './period.ts';

const HOME_OPTIONS = { maxAgeMs: 10 * 60_000 };

/** "My usage this month" in App Home: the credits of the person who looks, and buttons that tell more. */
export function homeSection(deps: UsageDeps): HomeSection {
  return {
    order: 10,
    role: 'member',
    read: async (person, log) => [
      header('My usage this month'),
      ...(await ownMonth(deps, person, (fault) => reportError(fault, log, { home: person.slackId }))),
      actions(
        runCommandButton('My last 7 days', '/usage', commandText`me 7d`),
        runCommandButton('The organization', '/usage', commandText`7d`),
        runCommandButton('Help', '/usage', commandText`help`),
      ),
    ],
  };
}

async function ownMonth(
  deps: UsageDeps,
  person: Person,
  tell: (fault: unknown) => { sentence: string; reference: string },
): Promise<Block[]> {
  const { email } = person;
  if (email === undefined)
    return [section(markup`Slack shows no e-mail for you, and the platform knows people by e-mail.`)];
  const today = todayOf(deps);
  const month = readPeriod(['this', 'month'], today);
  const existing = month && cutToExisting(month.requested, today);
  if (existing?.kind !== 'exists') return [section(markup`The month has just begun: there are no figures yet.`)];
  const { period } = existing;
  const scope = { period, comparedWith: undefined, today };
  const readers = { kind: 'person', email } as const;
  const query = { scope, range: period, readers, isExplained: false, options: HOME_OPTIONS };
  const { credits, ownSpend } = await readFacts(deps, ['credits', 'ownSpend'], query);
  const unreadable = [ownSpend?.days, credits].find((part) => part?.kind === 'unreadable');
  if (unreadable?.kind === 'unreadable') {
    const { sentence, reference } = tell(unreadable.fault);
    return [section(markup`Your figures could not be read. ${sentence} Reference \`${reference}\``)];
  }
  const rows = credits.kind === 'read' ? credits.rows : [];
  if (rows.length === 0) return [section(markup`The platform has not published this month’s days yet.`)];
  const own = sumOf(ownSpend?.people ?? [], (one) => one.credits);
  const all = sumOf(rows, (row) => row.billable_tokens);
  const through = rows.at(-1)?.date ?? period.last;
  return [
    section(amountMarkup(own, all)),
    context(markup`${formatPeriod({ first: period.first, last: through })}, UTC days, as far as they are published`),
  ];
}

function amountMarkup(own: number, all: number): Markup {
  return markup`*${formatNumber(own)}* Standard Credits, ${formatShare(own, all)} of the organization’s`;
}
