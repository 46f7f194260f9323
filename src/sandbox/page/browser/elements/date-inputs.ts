import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useNames } from '../core/names.ts';
import { stringOf, textOf } from '../core/json.ts';
import { instantOf, localDay, localTime } from '../core/zone-time.ts';
import { singleValue } from './element-values.ts';
import { useElementValue, useSurface, type ElementProps } from './surface.ts';

const inputTypes: Record<string, string> = { timepicker: 'time', datetimepicker: 'datetime-local' };

/** A time, or a date and a time. A datetimepicker contains an instant, shown in the viewer's time zone. */
export function DateInput(props: ElementProps): VNode {
  const { element, blockId } = props;
  const type = stringOf(element['type']);
  const label = textOf(element['placeholder']) || (type === 'timepicker' ? 'Time' : 'Date');
  const { timeZone } = useNames();
  const surface = useSurface();
  const { value, set, inputId } = useElementValue(props, label);
  const held = singleValue(value);
  const text = type === 'datetimepicker' && held !== '' ? localText(Number(held) * 1000, timeZone) : held;
  const change = (written: string) => {
    if (written === '') set(null);
    else set(type === 'datetimepicker' ? String(instantOf(Date.parse(`${written}Z`), timeZone) / 1000) : written);
  };
  return html`<span class="date-input">
    <input
      type=${inputTypes[type]}
      id=${inputId}
      value=${text}
      aria-labelledby=${props.labelId}
      aria-label=${props.labelId === undefined ? label : undefined}
      aria-describedby=${props.describedBy}
      aria-invalid=${surface.errorOf(blockId) === null ? undefined : 'true'}
      onChange=${(event: { currentTarget: HTMLInputElement }) => change(event.currentTarget.value)}
    />
    <small>${timeZone}</small>
  </span>`;
}

const localText = (instantMs: number, zone: string) => `${localDay(instantMs, zone)}T${localTime(instantMs, zone)}`;
