import type { Identifiers } from '../../core/base/privacy/pseudonyms.ts';
import { searchableIdentifiers } from '../../core/base/privacy/replace-identifiers.ts';
import { joinMarkup, markup, markupLines, type Markup } from '../../core/base/text/markup.ts';
import { readEmail } from '../../core/base/text/email.ts';
import { countOf } from '../../core/base/text/numbers.ts';
import { section, type Block } from '../../core/slack/blocks/blocks.ts';
import { textInput } from '../../core/slack/blocks/inputs.ts';
import type { FormState } from '../../core/slack/blocks/views.ts';
import type { RowCounts } from './core/rows.ts';
import { UNDOABLE } from './erasure-notices.ts';

/** Differs from the id of the first input: Slack would keep its text. */
export const CONFIRMATION_INPUT = 'again';

export const emailField = (state: FormState, id: string) => readEmail(state.text(id));

export const confirmationInput = () =>
  textInput({ id: CONFIRMATION_INPUT, label: 'Type the e-mail again to erase', longest: 320 });

export const EXPLANATION = markup`Quartermaster’s own messages are changed too, where Slack still lets it. The person can’t use Quartermaster afterwards, and their figures no longer show who they are. *${UNDOABLE}.* All admins get a message when it begins and when it is done.`;

export function inventoryBlocks(rowCounts: readonly RowCounts[]): Block[] {
  const deletedRows = rowCounts.filter(({ deleted }) => deleted > 0);
  const keptRows = rowCounts.filter((rows) => rows.kept > 0);
  return [
    ...listBlock(
      'Deleted',
      deletedRows.map(({ policy, deleted }) => markup`• ${policy.what}: ${countOf(deleted, 'row')}`),
    ),
    ...listBlock(
      'Kept without their name',
      keptRows.map((rows) => markup`• ${rows.policy.what}: ${countOf(rows.kept, 'row')}${reasonOf(rows)}`),
    ),
    ...(rowCounts.length === 0 ? [section(markup`Nothing is stored of them, so there is nothing to erase.`)] : []),
  ];
}

const MAX_SHOWN = 20;

/** Lists the words that the erasure looks for, so that an ambiguous one is noticed beforehand. */
export function searchTermsBlock(identifiers: Identifiers): Block {
  const { email, slackId, userId, name } = searchableIdentifiers(identifiers);
  const words = [...email, ...slackId, ...userId, ...name];
  const visibleWords = words.slice(0, MAX_SHOWN).map((word) => markup`\`${word}\``);
  const remainingWords = words.length - visibleWords.length;
  const more = remainingWords > 0 ? markup` and ${remainingWords} more` : markup``;
  return section(
    markup`*Looked for*\n${joinMarkup(visibleWords, ', ')}${more}. Settings never change because of a name.`,
  );
}

const reasonOf = ({ policy }: RowCounts) =>
  policy.reasonToKeep === undefined ? '' : `, so that ${policy.reasonToKeep}`;

function listBlock(title: string, lines: readonly Markup[]): Block[] {
  return lines.length === 0 ? [] : [section(markupLines([markup`*${title}*`, ...lines]))];
}
