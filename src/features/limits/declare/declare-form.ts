import { formatAmount } from '../../../core/base/text/amounts.ts';
import { markup } from '../../../core/base/text/markup.ts';
import { section } from '../../../core/slack/blocks/blocks.ts';
import { textInput } from '../../../core/slack/blocks/inputs.ts';
import { modal, type ModalView } from '../../../core/slack/blocks/views.ts';
import { peopleWords } from '../core/person-text.ts';
import { listFields } from '../import/list-fields.ts';
import type { DeclaredSummary } from './declared-limits.ts';

export const DECLARE_TITLE = 'Declare limits';
export const DECLARE_FORM = 'limits_declare_form';

export interface TypedDeclaration {
  forEverybody: string;
  list: string;
}

const SHOWN = markup`*The platform shows the limits in force*, so declared limits are kept, but not used.`;

export function declareView(
  { forEverybody, people, isShown }: DeclaredSummary & { isShown: boolean },
  problem?: string,
  typed: TypedDeclaration = { forEverybody: forEverybody === undefined ? '' : formatAmount(forEverybody), list: '' },
): ModalView {
  return modal({
    title: DECLARE_TITLE,
    submit: 'Save',
    callbackId: DECLARE_FORM,
    blocks: [
      ...(problem === undefined ? [] : [section(markup`*${problem}*`)]),
      ...(isShown ? [section(SHOWN)] : []),
      section(
        markup`Limits that were set before Quartermaster came. Nothing is sent to the platform. A limit that is set here counts more.${people === 0 ? '' : ` Declared for ${peopleWords(people)}.`}`,
      ),
      textInput({
        id: 'forEverybody',
        label: 'For everybody',
        hint: 'Leave empty for none.',
        isOptional: true,
        placeholder: '5m',
        initial: typed.forEverybody,
      }),
      ...listFields(typed.list, {
        label: 'For single people',
        hint: 'One email,limit a line. Write none as the limit to remove one. Others keep theirs.',
        fileLabel: 'Or upload this list',
      }),
    ],
  });
}
