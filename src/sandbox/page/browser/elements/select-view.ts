import { html } from 'htm/preact';
import type { VNode } from 'preact';
import type { Snapshot } from '../../../slack/people/control-types.ts';
import { recordOf, stringOf, textOf, type Json } from '../core/json.ts';
import { usePage } from '../core/page-context.ts';
import { choicesOf, type Choice } from './choices.ts';
import { useConfirm } from './confirm.ts';
import { severalValues } from './element-values.ts';
import { useElementValue, useSurface, type ElementProps } from './surface.ts';

/** A select menu for options, people or channels, with a single or a multiple choice. */
export function SelectView(props: ElementProps & { isOptional?: boolean }): VNode {
  const { element, blockId, isInput = false, isOptional = false } = props;
  const { state } = usePage();
  const surface = useSurface();
  const ask = useConfirm();
  const isMulti = stringOf(element['type']).startsWith('multi_');
  const label = textOf(element['placeholder']) || 'Choose';
  const { value, set, inputId } = useElementValue(props, label);
  const selected = severalValues(value);
  const choices = withChosen(offeredChoices(element, state.snapshot), selected);

  const choose = async (select: HTMLSelectElement) => {
    const dialog = recordOf(element['confirm']);
    if (dialog !== null && !(await ask(dialog))) {
      select.value = selected[0] ?? '';
      return;
    }
    const values = [...select.selectedOptions].map((option) => option.value).filter((one) => one !== '');
    set(isMulti ? values : (values[0] ?? null));
  };
  const onChange = ({ currentTarget: select }: { currentTarget: HTMLSelectElement }) => void choose(select);
  return html`<select
    id=${inputId}
    multiple=${isMulti}
    aria-label=${props.labelId === undefined ? label : undefined}
    aria-labelledby=${props.labelId}
    aria-describedby=${props.describedBy}
    aria-invalid=${surface.errorOf(blockId) === null ? undefined : 'true'}
    onChange=${onChange}
  >
    ${
      !isMulti &&
      html`<option value="" disabled=${!(isInput && isOptional)} selected=${selected.length === 0}>${label}</option>`
    }
    ${choices.map(
      (choice) =>
        html`<option key=${choice.value} value=${choice.value} selected=${selected.includes(choice.value)}>
          ${optionText(choice)}
        </option>`,
    )}
  </select>`;
}

const optionText = ({ label, description }: Choice) =>
  description === undefined ? textOf(label) : `${textOf(label)} (${textOf(description)})`;

/** Keeps chosen values visible even if they are no longer offered. */
function withChosen(offered: readonly Choice[], selected: readonly string[]): Choice[] {
  const missing = selected.filter((value) => !offered.some((choice) => choice.value === value));
  return [...offered, ...missing.map((value) => ({ value, label: value, description: undefined }))];
}

/** Returns the element's own options, or the workspace's people or channels that match its filter. */
function offeredChoices(element: Json, snapshot: Snapshot | null): Choice[] {
  const type = stringOf(element['type']);
  if (type === 'static_select' || type === 'multi_static_select') return choicesOf(element);
  if (snapshot === null) return [];
  if (type === 'multi_users_select')
    return snapshot.people
      .filter(({ isDeactivated, isBot }) => !isDeactivated && !isBot)
      .map(({ id, name, handle }) => ({ value: id, label: name, description: `@${handle}` }));
  const include = recordOf(element['filter'])?.['include'];
  return snapshot.channels
    .filter(({ kind, isArchived }) => kind !== 'dm' && !isArchived)
    .filter(({ kind }) => !Array.isArray(include) || include.includes(kind))
    .map(({ id, name, kind }) => ({
      value: id,
      label: `#${name}`,
      description: kind === 'private' ? 'private' : undefined,
    }));
}
