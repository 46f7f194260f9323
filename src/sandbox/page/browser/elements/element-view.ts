import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { stringOf } from '../core/json.ts';
import { ButtonView } from './button-view.ts';
import { ChoicesView } from './choices-view.ts';
import { DateInput } from './date-inputs.ts';
import { FileInput } from './file-input.ts';
import { SelectView } from './select-view.ts';
import type { ElementProps } from './surface.ts';
import { TextInput } from './text-inputs.ts';

export function ElementView(props: ElementProps & { isOptional?: boolean }): VNode {
  const type = stringOf(props.element['type']);
  switch (type) {
    case 'button':
      return html`<${ButtonView} ...${props} />`;
    case 'checkboxes':
    case 'radio_buttons':
      return html`<${ChoicesView} ...${props} />`;
    case 'plain_text_input':
      return html`<${TextInput} ...${props} />`;
    case 'timepicker':
    case 'datetimepicker':
      return html`<${DateInput} ...${props} />`;
    case 'file_input':
      return html`<${FileInput} ...${props} />`;
    case 'static_select':
    case 'multi_static_select':
    case 'multi_users_select':
    case 'conversations_select':
      return html`<${SelectView} ...${props} />`;
    default:
      return html`<span class="undrawn">cannot be shown: ${type || 'an element without a type'}</span>`;
  }
}
