import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { textOf } from '../core/json.ts';
import { InlineTextObject } from '../text/text-view.ts';
import type { Choice } from './choices.ts';
import { useCombobox, type ComboboxProps } from './use-combobox.ts';

/** A field to choose from a list by typing, with the arrow keys or with the pointer. */
export function Combobox(props: ComboboxProps): VNode {
  const { inputId, isMulti, selected, offered, query, onChange } = props;
  const { input, isOpen, active, open, close, choose, onKeyDown, onInput } = useCombobox(props);
  const listId = `${inputId}-list`;
  const shown = !isOpen && !isMulti ? textOf(selected[0]?.label) : query;

  return html`<div class="combobox">
    ${isMulti && html`<${Chips} selected=${selected} onChange=${onChange} />`}
    <span class="combobox-field">
      <input
        ref=${input}
        id=${inputId}
        type="text"
        role="combobox"
        autocomplete="off"
        aria-autocomplete="list"
        aria-expanded=${isOpen}
        aria-controls=${listId}
        aria-activedescendant=${isOpen && offered.length > 0 ? `${listId}-${active}` : undefined}
        aria-label=${props.labelId === undefined ? props.label : undefined}
        aria-labelledby=${props.labelId}
        aria-describedby=${props.describedBy}
        aria-invalid=${props.isInvalid ? 'true' : undefined}
        placeholder=${props.placeholder}
        value=${shown}
        onInput=${onInput}
        onClick=${() => (isOpen ? undefined : open())}
        onBlur=${close}
        onKeyDown=${onKeyDown}
      />
      ${
        props.canClear &&
        selected.length > 0 &&
        !isMulti &&
        html`<button type="button" class="combobox-clear" aria-label="Clear" onClick=${() => onChange([])}>×</button>`
      }
    </span>
    ${isOpen && html`<${Offers} ...${props} listId=${listId} active=${active} onChoose=${choose} />`}
  </div>`;
}

function Chips({ selected, onChange }: Pick<ComboboxProps, 'selected' | 'onChange'>): VNode {
  const without = (removed: string) => selected.map(({ value }) => value).filter((value) => value !== removed);
  return html`<span class="chips">
    ${selected.map(
      ({ value, label }) =>
        html`<span class="chip" key=${value}>
          <${InlineTextObject} value=${label} />
          <button type="button" aria-label=${`Remove ${textOf(label)}`} onClick=${() => onChange(without(value))}>
            ×
          </button>
        </span>`,
    )}
  </span>`;
}

interface OffersProps extends ComboboxProps {
  listId: string;
  active: number;
  onChoose: (choice: Choice) => void;
}

/** Without this, the field would lose the focus before the click is counted. */
const keepFocus = (event: MouseEvent) => event.preventDefault();

function Offers({ listId, label, offered, selected, active, note, isMulti, onChoose }: OffersProps): VNode {
  const shown = note ?? (offered.length === 0 ? 'Nothing matches' : null);
  return html`<div class="offers" onMouseDown=${keepFocus}>
    <div role="listbox" id=${listId} aria-label=${label} aria-multiselectable=${isMulti ? 'true' : undefined}>
      ${offered.map((choice, index) => {
        const isSelected = selected.some(({ value }) => value === choice.value);
        const startsGroup = choice.group !== null && choice.group !== offered[index - 1]?.group;
        return html`${startsGroup && html`<div class="offer-group" role="presentation">${choice.group}</div>`}
          <div
            role="option"
            id=${`${listId}-${index}`}
            class=${index === active ? 'offer offer-active' : 'offer'}
            aria-selected=${isSelected}
            onClick=${() => onChoose(choice)}
          >
            <span
              ><${InlineTextObject}
                value=${choice.label}
              />${isSelected ? html`<span aria-hidden="true"> ✓</span>` : null}</span
            >
            ${choice.description !== undefined && html`<small><${InlineTextObject} value=${choice.description} /></small>`}
          </div>`;
      })}
    </div>
    ${shown !== null && html`<p class="offer-note" role="status">${shown}</p>`}
  </div>`;
}
