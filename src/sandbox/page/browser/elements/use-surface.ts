import { useRef, useState } from 'preact/hooks';
import type { Delivery, FormValues, InputValue, Source, ViewView } from '../../../slack/people/control-types.ts';
import { recordOf, recordsOf, stringOf, type Json } from '../core/json.ts';
import { RefusedError } from '../core/control.ts';
import { deliveryFailure, errorWords } from '../core/failure-words.ts';
import { usePage } from '../core/page-context.ts';
import type { Session } from '../core/session.ts';
import { valueFromElement, valueFromState } from './element-values.ts';
import type { Surface } from './surface.ts';

/** Changes one value of block_id → action_id → value. */
function withValue(values: FormValues, blockId: string, actionId: string, value: InputValue): FormValues {
  return { ...values, [blockId]: { ...values[blockId], [actionId]: value } };
}

interface Parts {
  session: Session;
  kind: Surface['kind'];
  idPrefix: string;
  source: Source;
  /** Slack's values for this place; messages have their own. */
  held: ViewView['values'];
  errorOf: (blockId: string) => string | null;
  /** Runs before anything is sent: earlier typing must arrive first. */
  beforeSending: () => Promise<void>;
  onEdit: (blockId: string, actionId: string, value: InputValue, isDispatched: boolean) => void;
}

interface SurfaceState {
  surface: Surface;
  failure: string | null;
  setFailure: (failure: string | null) => void;
  /** The typed or chosen values on this page, whether or not Slack has them yet. */
  shown: FormValues;
  show: (blockId: string, actionId: string, value: InputValue) => void;
}

/** The common part of messages, modals and App Home. */
function useBaseSurface(parts: Parts): SurfaceState {
  const [failure, setFailure] = useState<string | null>(null);
  const [shown, setShown] = useState<FormValues>({});
  const show = (blockId: string, actionId: string, value: InputValue) =>
    setShown((before) => withValue(before, blockId, actionId, value));
  const { session, source, held } = parts;

  const send = async (label: string, run: () => Promise<Delivery>) => {
    setFailure(null);
    try {
      await parts.beforeSending();
      setFailure(deliveryFailure(`“${label}”`, await run()));
    } catch (error) {
      setFailure(errorWords(`“${label}”`, error));
    }
  };
  const surface: Surface = {
    kind: parts.kind,
    idPrefix: parts.idPrefix,
    errorOf: parts.errorOf,
    valueOf: (blockId, element) => valueOf(shown, held, blockId, element),
    edit: (blockId, actionId, value, isDispatched) => {
      show(blockId, actionId, value);
      parts.onEdit(blockId, actionId, value, isDispatched);
    },
    act: (blockId, actionId, label, value) => {
      if (value !== undefined) show(blockId, actionId, value);
      const choice = value === undefined ? {} : { value };
      return send(label, () => session.act('click', { source, blockId, actionId, ...choice }));
    },
  };
  return { surface, failure, setFailure, shown, show };
}

function valueOf(shown: FormValues, held: ViewView['values'], blockId: string, element: Json): InputValue {
  const actionId = stringOf(element['action_id']);
  const typed = shown[blockId]?.[actionId];
  if (typed !== undefined) return typed;
  const state = recordOf(held[blockId]?.[actionId]);
  return state === null ? valueFromElement(element) : valueFromState(state);
}

const noErrors = () => null;

/** The surface of a message. Like Slack, the page keeps each person's menu choices. */
export function useMessageSurface(channelId: string, ts: string, isInThread: boolean) {
  const source: Source = { in: 'message', channel: channelId, ts };
  return useOpenSurface({ kind: 'message', idPrefix: `${isInThread ? 'thread' : 'message'}-${ts}`, source, held: {} });
}

export function useHomeSurface(view: ViewView) {
  return useOpenSurface({ kind: 'home', idPrefix: 'home', source: { in: 'home' }, held: view.values });
}

/** A place without submission. The values of its input blocks are sent with the next click. */
function useOpenSurface(place: Pick<Parts, 'kind' | 'idPrefix' | 'source' | 'held'>) {
  const { session } = usePage();
  const unsent = useRef<FormValues>({});
  const flush = async () => {
    const values = unsent.current;
    unsent.current = {};
    for (const [blockId, actions] of Object.entries(values)) {
      for (const [actionId, value] of Object.entries(actions)) {
        const typing = session.act('click', { source: place.source, blockId, actionId, value });
        // The sandbox stores the value of an input that does not notify the app, and reports that it did not.
        await typing.catch((error: unknown) => {
          if (!(error instanceof RefusedError && error.code === 'not_dispatched')) throw error;
        });
      }
    }
  };
  const base = useBaseSurface({
    ...place,
    session,
    errorOf: noErrors,
    beforeSending: flush,
    onEdit: (blockId, actionId, value, isDispatched) => {
      if (isDispatched) void base.surface.act(blockId, actionId, 'The field', value);
      else unsent.current = withValue(unsent.current, blockId, actionId, value);
    },
  });
  return base;
}

/** The surface of a modal: typed values stay here until the next click or the submission. */
export function useModalSurface(view: ViewView) {
  const { session } = usePage();
  const unsent = useRef<FormValues>({});
  const [localErrors, setLocalErrors] = useState<Record<string, string>>({});
  /** Blocks that were changed since the app's complaint, with that complaint. */
  const [corrected, setCorrected] = useState<{ of: ViewView['errors']; blocks: string[] }>({ of: {}, blocks: [] });
  const isCorrected = (blockId: string) => corrected.of === view.errors && corrected.blocks.includes(blockId);

  const takeUnsent = (): FormValues => {
    const values = onlyPresent(unsent.current, view);
    unsent.current = {};
    return values;
  };
  const flush = async () => {
    const values = takeUnsent();
    if (Object.keys(values).length > 0) await session.act('type', { viewId: view.id, values });
  };
  const base = useBaseSurface({
    session,
    kind: 'modal',
    idPrefix: `modal-${view.id}`,
    source: { in: 'modal', viewId: view.id },
    held: view.values,
    errorOf: (blockId) => localErrors[blockId] ?? (isCorrected(blockId) ? null : (view.errors[blockId] ?? null)),
    beforeSending: flush,
    onEdit: (blockId, actionId, value, isDispatched) => {
      unsent.current = withValue(unsent.current, blockId, actionId, value);
      const { [blockId]: _, ...others } = localErrors;
      setLocalErrors(others);
      const blocks = corrected.of === view.errors ? corrected.blocks : [];
      setCorrected({ of: view.errors, blocks: [...blocks, blockId] });
      if (isDispatched) flush().catch((error: unknown) => base.setFailure(errorWords('The field', error)));
    },
  });
  const keepUnsent = (values: FormValues) => {
    unsent.current = { ...values, ...unsent.current };
  };
  return { ...base, takeUnsent, keepUnsent, setLocalErrors };
}

/** Removes the values of fields that an update of the view has removed. */
function onlyPresent(values: FormValues, view: ViewView): FormValues {
  const present = new Set(recordsOf(view.view['blocks']).map((block) => stringOf(block['block_id'])));
  return Object.fromEntries(Object.entries(values).filter(([blockId]) => present.has(blockId)));
}
