import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useNames } from '../core/names.ts';
import { recordOf, stringOf, textOf } from '../core/json.ts';
import { instantOf, localDay, localTime } from '../core/zone-time.ts';
import { useConfirm } from './confirm.ts';
import { singleValue } from './element-values.ts';
import { useElementValue, useSurface, type ElementProps } from './surface.ts';

const inputTypes: Record<string, string> = { datepicker: 'date', timepicker: 'time', datetimepicker: 'datetime-local' };

/** Date, time, or both; a datetimepicker holds an instant, which is shown in the viewer's time zone. */
export function DateInput(props: ElementProps): VNode {
  const { element, blockId, isInput = false } = props;
  const type = stringOf(element['type']);
  const label = textOf(element['placeholder']) || (type === 'timepicker' ? 'Time' : 'Date');
  const { timeZone } = useNames();
  const surface = useSurface();
  const ask = useConfirm();
  const { value, set, inputId } = useElementValue(props, label);
  const held = singleValue(value);
  const shown = type === 'datetimepicker' && held !== '' ? localText(Number(held) * 1000, timeZone) : held;
  const change = async (written: string) => {
    const confirm = recordOf(element['confirm']);
    if (!isInput && confirm !== null && !(await ask(confirm))) return;
    if (written === '') set(null);
    else set(type === 'datetimepicker' ? String(instantOf(Date.parse(`${written}Z`), timeZone) / 1000) : written);
  };
  return html`<span class="date-input">
    <input
      type=${inputTypes[type]}
      id=${inputId}
      value=${shown}
      aria-labelledby=${props.labelId}
      aria-label=${props.labelId === undefined ? label : undefined}
      aria-describedby=${props.describedBy}
      aria-invalid=${surface.errorOf(blockId) === null ? undefined : 'true'}
      onChange=${(event: { currentTarget: HTMLInputElement }) => void change(event.currentTarget.value)}
    />
    ${type !== 'datepicker' && html`<small>${stringOf(element['timezone'], timeZone)}</small>`}
  </span>`;
}

const localText = (instantMs: number, zone: string) => `${localDay(instantMs, zone)}T${localTime(instantMs, zone)}`;
