import { useRef, useState } from 'preact/hooks';
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

/** What is open and picked in a combobox, and what its keys do. */
export function useCombobox(props: ComboboxProps) {
  const { isMulti, selected, offered, query, onQuery, onChange } = props;
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const input = useRef<HTMLInputElement>(null);

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
    onChange(isMulti ? toggled(selected, choice, props.maxSelected) : [choice.value]);
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
  return { input, isOpen, active, open, close, choose, onKeyDown, onInput };
}

/** The values after one was chosen again (it goes) or again (it comes, if there is room). */
function toggled(selected: readonly Choice[], choice: Choice, most: number): string[] {
  const values = selected.map(({ value }) => value);
  if (values.includes(choice.value)) return values.filter((value) => value !== choice.value);
  return values.length < most ? [...values, choice.value] : values;
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
