import { modal, type ModalView } from '../../../core/slack/blocks/views.ts';
import { section } from '../../../core/slack/blocks/blocks.ts';
import { MAX_TYPED_TEXT_LENGTH } from '../../../core/slack/blocks/inputs.ts';
import { markup } from '../../../core/base/text/markup.ts';
import { formatNumber } from '../../../core/base/text/numbers.ts';
import { NO_OWN_LIMIT } from '../core/amount-rule.ts';
import { listFields } from './list-fields.ts';
import { MAX_IMPORT_LINES } from './parse.ts';

export const IMPORT_TITLE = 'Import credit limits';
export const IMPORT_FORM = 'limits_import_form';
export const IMPORT_SEND_FORM = 'limits_import_send';

/** @param mayRemove whether lines can remove own limits */
export function importView({
  problem,
  list = '',
  mayRemove,
}: {
  problem?: string;
  list?: string;
  mayRemove: boolean;
}): ModalView {
  return modal({
    title: IMPORT_TITLE,
    submit: 'Preview',
    callbackId: IMPORT_FORM,
    blocks: [
      ...(problem === undefined ? [] : [section(markup`*${problem}*`)]),
      section(
        markup`A list of up to ${formatNumber(MAX_IMPORT_LINES)} lines \`email,limit\`${mayRemove ? markup`, or \`email,${NO_OWN_LIMIT}\` for no limit of their own` : markup``}. You’ll see a preview before anything is requested.`,
      ),
      ...listFields(list, {
        label: 'Paste it',
        hint: `Up to ${formatNumber(MAX_TYPED_TEXT_LENGTH)} characters; for more, upload a file.`,
        fileLabel: 'Or upload it',
      }),
    ],
  });
}
