import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { numberOf, textOf } from '../core/json.ts';
import { singleValue } from './element-values.ts';
import { useElementValue, useSurface, type ElementProps } from './surface.ts';

/** Fields for text and numbers. The page checks them in Slack's words, not the browser. */
export function TextInput(props: ElementProps): VNode {
  const { element, blockId } = props;
  const isLong = element['multiline'] === true;
  const label = textOf(element['placeholder']);
  const surface = useSurface();
  const { value, set, inputId } = useElementValue(props, 'The field');
  const onInput = (event: { currentTarget: HTMLInputElement | HTMLTextAreaElement }) =>
    set(event.currentTarget.value === '' ? null : event.currentTarget.value, false);
  const onKeyDown = (event: KeyboardEvent) => {
    const isSent = event.key === 'Enter' && !event.isComposing && (!isLong || event.ctrlKey || event.metaKey);
    if (!isSent || props.isDispatched !== true) return;
    event.preventDefault();
    set(value);
  };
  const attributes = {
    id: inputId,
    'aria-labelledby': props.labelId,
    'aria-label': props.labelId === undefined ? label || 'Text' : undefined,
    'aria-describedby': props.describedBy,
    'aria-invalid': surface.errorOf(blockId) === null ? undefined : 'true',
    placeholder: label,
    maxlength: numberOf(element['max_length']) ?? undefined,
    value: singleValue(value),
    autocomplete: 'off',
    onInput,
    onKeyDown,
  };
  if (isLong) return html`<textarea rows="4" ...${attributes}></textarea>`;
  return html`<input type="text" ...${attributes} />`;
}
