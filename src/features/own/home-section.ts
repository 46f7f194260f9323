import { markup, type Markup } from '../../core/base/text/markup.ts';
import type { Logger } from '../../core/base/log.ts';
import { actions, header, section, type Block, type Button } from '../../core/slack/blocks/blocks.ts';
import { reportError } from '../../core/slack/blocks/faults.ts';
import { runCommandButton } from '../../core/slack/blocks/messages.ts';
import { blocksOf } from '../../core/slack/blocks/paragraphs.ts';
import { commandText } from '../../core/slack/commands/command-text.ts';
import type { HomeSection } from '../../core/slack/interactions/interactions.ts';
import type { Person } from '../../core/slack/people/people.ts';
import { NO_EMAIL } from '../../core/figures/measures/sentences.ts';
import { type OwnLineDeps, ownLimitLine } from './own-limit.ts';
import { ownMonth } from './own-view.ts';

const NOTHING_PUBLISHED = 'The platform hasn’t published a day of this month yet.';
const HOME_OPTIONS = { maxAgeMs: 10 * 60_000 };

/** “My usage this month” in App Home: the user’s own month, limit and trend, with buttons for details. */
export function homeSection(deps: OwnLineDeps): HomeSection {
  return {
    order: 10,
    role: 'member',
    read: async (person, log) => {
      const { blocks, buttons } = await ownPart(deps, person, log);
      return [
        header('My usage this month'),
        ...blocks,
        actions(
          ...buttons,
          deps.limits.blockedButton(),
          runCommandButton('My last 7 days', '/usage', commandText`me 7d`),
          runCommandButton('Organization', '/usage', commandText`7d`),
        ),
      ];
    },
  };
}

const only = (sentence: string | Markup) => ({
  blocks: [section(markup`${sentence}`)],
  buttons: [runCommandButton('Warn me', '/usage', commandText`notify`)],
});

async function ownPart(
  deps: OwnLineDeps,
  person: Person,
  log: Logger,
): Promise<{ blocks: Block[]; buttons: Button[] }> {
  const { email, slackId } = person;
  if (email === undefined) return only(NO_EMAIL);
  const reading = await deps.readOwn(email, HOME_OPTIONS);
  switch (reading.kind) {
    case 'begun': {
      const { line, buttons } = await ownLimitLine(deps, reading.month, person, log);
      return { blocks: [...blocksOf([line]), section(markup`${NOTHING_PUBLISHED}`)], buttons };
    }
    case 'unpublished':
      return only(NOTHING_PUBLISHED);
    case 'unreadable': {
      const { sentence, reference } = reportError(reading.fault, log, { home: slackId });
      return only(markup`Your figures could not be read. ${sentence} Reference \`${reference}\``);
    }
    case 'read': {
      const { line, buttons } = await ownLimitLine(deps, reading.report, person, log);
      return { blocks: blocksOf(ownMonth(reading.report, line)), buttons };
    }
    default:
      return reading satisfies never;
  }
}
