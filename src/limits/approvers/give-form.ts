import { markup, type Markup } from '../../base/text/markup.ts';
import { section } from '../../slack/blocks/blocks.ts';
import { selectInput, type Option } from '../../slack/blocks/inputs.ts';
import { modal, type ModalView } from '../../slack/blocks/views.ts';

export const GIVE_TITLE = 'Give to another';
export const GIVE_FORM = 'limits_give_form';
export const RECEIVER = 'receiver';

export function giveView(id: string, requestLine: Markup, admins: readonly Option[]): ModalView {
  return modal({
    title: GIVE_TITLE,
    submit: 'Give',
    callbackId: GIVE_FORM,
    metadata: id,
    blocks: [
      section(
        markup`*${requestLine}*\nThe admin gets the request by direct message, and is asked before the approvers of the list who are left. Any admin can still decide.`,
      ),
      selectInput({ id: RECEIVER, label: 'To which admin?', options: admins }),
    ],
  });
}
