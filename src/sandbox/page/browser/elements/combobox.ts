import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { textOf } from '../core/json.ts';
import { InlineTextObject } from '../text/text-view.ts';
import type { Choice } from './choices.ts';

export interface ComboboxProps {
  inputId: string;
  label: string;
  labelId?: string | undefined;
  describedBy?: string | undefined;
  placeholder: string;
  isMulti: boolean;
  maxSelected: number;
  canClear: boolean;
  isInvalid: boolean;
  selected: Choice[];
  /** What is offered for the query. */
  offered: Choice[];
  /** Said instead of the offers, e.g. while they are looked up. */
  note: string | null;
  query: string;
  onQuery: (query: string) => void;
  onChange: (values: string[]) => void;
}

/** A field to choose from a list by typing, with the arrow keys or with the pointer. */
export function Combobox(props: ComboboxProps): VNode {
  const { inputId, isMulti, selected, offered, query, onQuery, onChange } = props;
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const listId = `${inputId}-list`;

  const open = () => {
    setActive(
      Math.max(
        0,
        offered.findIndex(({ value }) => selected.some((one) => one.value === value)),
      ),
    );
    setOpen(true);
  };
  const close = () => {
    setOpen(false);
    onQuery('');
  };
  const choose = (choice: Choice | undefined) => {
    if (choice === undefined) return;
    const isChosen = selected.some(({ value }) => value === choice.value);
    const values = selected.map(({ value }) => value);
    if (!isMulti) onChange([choice.value]);
    else if (isChosen) onChange(values.filter((value) => value !== choice.value));
    else if (selected.length < props.maxSelected) onChange([...values, choice.value]);
    onQuery('');
    if (!isMulti) setOpen(false);
    input.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const handled = handleKey(event.key, {
      isOpen,
      isMulti,
      query,
      count: offered.length,
      open,
      close,
      move: (step) => setActive((active + step + offered.length) % Math.max(offered.length, 1)),
      choose: () => choose(offered[active]),
      removeLast: () => onChange(selected.slice(0, -1).map(({ value }) => value)),
    });
    if (!handled) return;
    event.preventDefault();
    event.stopPropagation();
  };
  const onInput = (event: { currentTarget: HTMLInputElement }) => {
    setOpen(true);
    setActive(0);
    onQuery(event.currentTarget.value);
  };
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

interface KeyHandling {
  isOpen: boolean;
  isMulti: boolean;
  query: string;
  count: number;
  open: () => void;
  close: () => void;
  move: (step: number) => void;
  choose: () => void;
  removeLast: () => void;
}

/** @returns whether the key was meant for the list */
function handleKey(key: string, list: KeyHandling): boolean {
  switch (key) {
    case 'ArrowDown':
    case 'ArrowUp':
      if (list.isOpen) list.move(key === 'ArrowDown' ? 1 : -1);
      else list.open();
      return true;
    case 'Enter':
      // In a closed list, Enter is left to whatever is around it.
      if (!list.isOpen) return false;
      list.choose();
      return true;
    case 'Escape':
      if (!list.isOpen) return false;
      list.close();
      return true;
    case 'Backspace':
      if (!list.isMulti || list.query !== '') return false;
      list.removeLast();
      return true;
    default:
      return false;
  }
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
