import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { recordOf, stringOf, textOf } from '../core/json.ts';
import { ImageView } from '../blocks/image-view.ts';
import { ButtonView, PlainButton } from './button-view.ts';
import { ChoicesView } from './choices-view.ts';
import { DateInput } from './date-inputs.ts';
import { FileInput } from './file-input.ts';
import { OverflowView } from './overflow-view.ts';
import { SelectView } from './select-view.ts';
import type { ElementProps } from './surface.ts';
import { TextInput } from './text-inputs.ts';

/** Draws any element of a block. */
export function ElementView(props: ElementProps & { isOptional?: boolean }): VNode {
  const { element } = props;
  const type = stringOf(element['type']);
  switch (type) {
    case 'button':
      return html`<${ButtonView} ...${props} />`;
    case 'overflow':
      return html`<${OverflowView} ...${props} />`;
    case 'image':
      return html`<${ImageView} image=${element} isSmall=${true} />`;
    case 'checkboxes':
    case 'radio_buttons':
      return html`<${ChoicesView} ...${props} />`;
    case 'plain_text_input':
    case 'number_input':
    case 'email_text_input':
    case 'url_text_input':
    case 'rich_text_input':
      return html`<${TextInput} ...${props} />`;
    case 'datepicker':
    case 'timepicker':
    case 'datetimepicker':
      return html`<${DateInput} ...${props} />`;
    case 'file_input':
      return html`<${FileInput} ...${props} />`;
    case 'feedback_buttons':
      return html`<span class="row">
        ${[element['positive_button'], element['negative_button']].map((value) => {
          const choice = recordOf(value) ?? {};
          return html`<${PlainButton}
            ...${props}
            label=${textOf(choice['text'])}
            value=${stringOf(choice['value'])}
          />`;
        })}
      </span>`;
    case 'icon_button':
    case 'workflow_button':
      return html`<${PlainButton} ...${props} label=${textOf(element['text']) || 'Button'} />`;
    default:
      if (type.endsWith('_select')) return html`<${SelectView} ...${props} />`;
      return html`<span class="undrawn">An element of the type “${type}” cannot be shown here.</span>`;
  }
}
