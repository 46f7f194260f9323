import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { InputValue } from '../../../slack/people/control-types.ts';
import { stringOf, type Json } from '../core/json.ts';

/** The place in which blocks are drawn: the values of their elements, and the actions on them. */
export interface Surface {
  kind: 'message' | 'modal' | 'home';
  /** Makes ids of elements unique on the page. */
  idPrefix: string;
  valueOf: (blockId: string, element: Json) => InputValue;
  errorOf: (blockId: string) => string | null;
  /** Handles typing or a choice in an input block; `isDispatched`: the app gets it at once. */
  edit: (blockId: string, actionId: string, value: InputValue, isDispatched: boolean) => void;
  /** Handles a click, or a choice outside of input blocks. `label` names it in a failure. */
  act: (blockId: string, actionId: string, label: string, value?: InputValue) => Promise<void>;
}

export const inertSurface: Surface = {
  kind: 'message',
  idPrefix: 'inert',
  valueOf: () => null,
  errorOf: () => null,
  edit: () => undefined,
  act: async () => undefined,
};

export const SurfaceContext = createContext<Surface>(inertSurface);

export function useSurface(): Surface {
  return useContext(SurfaceContext);
}

export interface ElementProps {
  element: Json;
  blockId: string;
  /** For input blocks; other elements have labels of their own. */
  labelId?: string | undefined;
  describedBy?: string | undefined;
  isInput?: boolean;
  isDispatched?: boolean;
}

export function useElementValue(
  { element, blockId, isInput = false, isDispatched = false }: ElementProps,
  label: string,
) {
  const surface = useSurface();
  const actionId = stringOf(element['action_id']);
  const set = (value: InputValue, isFinal = true) => {
    if (isInput) surface.edit(blockId, actionId, value, isDispatched && isFinal);
    else if (isFinal) void surface.act(blockId, actionId, label, value);
  };
  return { value: surface.valueOf(blockId, element), set, inputId: `${surface.idPrefix}-${blockId}-${actionId}` };
}
