import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { InlineTextObject } from '../text/text-view.ts';
import { recordOf } from '../core/json.ts';
import { choicesOf } from './choices.ts';
import { useConfirm } from './confirm.ts';
import { severalValues, singleValue } from './element-values.ts';
import { useElementValue, type ElementProps } from './surface.ts';

/** Checkboxes and radio buttons. */
export function ChoicesView(props: ElementProps): VNode {
  const { element, isInput = false } = props;
  const isRadio = element['type'] === 'radio_buttons';
  const { value, set, inputId } = useElementValue(props, 'The choice');
  const ask = useConfirm();
  const chosen = isRadio ? [singleValue(value)] : severalValues(value);

  const change = async (input: HTMLInputElement, choice: string) => {
    const confirm = recordOf(element['confirm']);
    if (!isInput && confirm !== null && !(await ask(confirm))) {
      input.checked = chosen.includes(choice);
      return;
    }
    if (isRadio) set(choice);
    else set(input.checked ? [...chosen, choice] : chosen.filter((one) => one !== choice));
  };
  return html`<div
    class="choices"
    role=${isRadio ? 'radiogroup' : 'group'}
    aria-labelledby=${props.labelId}
    aria-describedby=${props.describedBy}
  >
    ${choicesOf(element).map(
      (choice, index) =>
        html`<label class="choice">
          <input
            type=${isRadio ? 'radio' : 'checkbox'}
            name=${inputId}
            id=${index === 0 ? inputId : undefined}
            checked=${chosen.includes(choice.value)}
            onChange=${(event: { currentTarget: HTMLInputElement }) => void change(event.currentTarget, choice.value)}
          />
          <span>
            <${InlineTextObject} value=${choice.label} />
            ${choice.description !== undefined && html`<small><${InlineTextObject} value=${choice.description} /></small>`}
          </span>
        </label>`,
    )}
  </div>`;
}
