import { formatAmount } from '../../base/text/amounts.ts';
import { markup } from '../../base/text/markup.ts';
import { section } from '../../slack/blocks/blocks.ts';
import { fileInput, MAX_TYPED_TEXT_LENGTH, textInput } from '../../slack/blocks/inputs.ts';
import { modal, type ModalView } from '../../slack/blocks/views.ts';
import { peopleWords } from '../core/person-text.ts';
import type { DeclaredSummary } from './declared-limits.ts';

export const DECLARE_TITLE = 'Declare limits';
export const DECLARE_FORM = 'limits_declare_form';

export interface TypedDeclaration {
  forEverybody: string;
  list: string;
}

export function declareView(
  { forEverybody, people }: DeclaredSummary,
  problem?: string,
  typed: TypedDeclaration = { forEverybody: forEverybody === undefined ? '' : formatAmount(forEverybody), list: '' },
): ModalView {
  return modal({
    title: DECLARE_TITLE,
    submit: 'Save',
    callbackId: DECLARE_FORM,
    blocks: [
      ...(problem === undefined ? [] : [section(markup`*${problem}*`)]),
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
      textInput({
        id: 'list',
        label: 'For single people',
        hint: 'One email,limit a line. Write none as the limit to remove one. Others keep theirs.',
        isOptional: true,
        isMultiline: true,
        placeholder: 'mia@acme.example,5000',
        initial: typed.list.length > MAX_TYPED_TEXT_LENGTH ? undefined : typed.list,
      }),
      fileInput({
        id: 'file',
        label: 'Or upload this list',
        hint: 'CSV or text.',
        isOptional: true,
        fileTypes: ['csv', 'txt'],
      }),
    ],
  });
}
