import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { InlineTextObject } from '../text/text-view.ts';
import { choicesOf } from './choices.ts';
import { severalValues, singleValue } from './element-values.ts';
import { useElementValue, type ElementProps } from './surface.ts';

/** Checkboxes and radio buttons. */
export function ChoicesView(props: ElementProps): VNode {
  const { element } = props;
  const isRadio = element['type'] === 'radio_buttons';
  const { value, set, inputId } = useElementValue(props, 'The choice');
  const chosen = isRadio ? [singleValue(value)] : severalValues(value);

  const change = (input: HTMLInputElement, choice: string) => {
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
            onChange=${(event: { currentTarget: HTMLInputElement }) => change(event.currentTarget, choice.value)}
          />
          <span>
            <${InlineTextObject} value=${choice.label} />
            ${choice.description !== undefined && html`<small><${InlineTextObject} value=${choice.description} /></small>`}
          </span>
        </label>`,
    )}
  </div>`;
}
