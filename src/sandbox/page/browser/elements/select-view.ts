import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Snapshot } from '../../../slack/control-types.ts';
import { numberOf, recordOf, recordsOf, stringOf, textOf, type Json } from '../core/json.ts';
import { usePage } from '../core/page-context.ts';
import { choiceOf, choicesOf, matchingChoices, type Choice } from './choices.ts';
import { Combobox } from './combobox.ts';
import { useConfirm } from './confirm.ts';
import { severalValues } from './element-values.ts';
import { useElementValue, useSurface, type ElementProps } from './surface.ts';

const LOOK_UP_DELAY_MS = 200;
const DEFAULT_MIN_QUERY = 3;

/** Any select menu: of options, people, channels or conversations, of one or several, from a list or looked up. */
export function SelectView(props: ElementProps & { isOptional?: boolean }): VNode {
  const { element, blockId, isInput = false } = props;
  const type = stringOf(element['type']);
  const isMulti = type.startsWith('multi_');
  const label = textOf(element['placeholder']) || 'Choose';
  const { value, set, inputId } = useElementValue(props, label);
  const surface = useSurface();
  const ask = useConfirm();
  const [query, setQuery] = useState('');
  const { offered, known, note } = useOffers(element, blockId, query);
  const selected = severalValues(value).map(
    (one) => known.find((choice) => choice.value === one) ?? unknownChoice(one),
  );

  const change = async (values: string[]) => {
    const confirm = recordOf(element['confirm']);
    if (!isInput && confirm !== null && !(await ask(confirm))) return;
    set(isMulti ? values : (values[0] ?? null));
  };
  return html`<${Combobox}
    inputId=${inputId}
    label=${label}
    labelId=${props.labelId}
    describedBy=${props.describedBy}
    placeholder=${label}
    isMulti=${isMulti}
    maxSelected=${numberOf(element['max_selected_items']) ?? Number.POSITIVE_INFINITY}
    canClear=${isInput && props.isOptional === true}
    isInvalid=${surface.errorOf(blockId) !== null}
    selected=${selected}
    offered=${offered}
    note=${note}
    query=${query}
    onQuery=${setQuery}
    onChange=${(values: string[]) => void change(values)}
  />`;
}

const unknownChoice = (value: string): Choice => ({ value, label: value, description: undefined, group: null });

interface Offers {
  offered: Choice[];
  /** All choices of which the text is known, offered or not. */
  known: Choice[];
  note: string | null;
}

function useOffers(element: Json, blockId: string, query: string): Offers {
  const { state } = usePage();
  const surface = useSurface();
  const looked = useLookedUp(element, blockId, query);
  const type = stringOf(element['type']).replace(/^multi_/, '');
  if (type === 'external_select') {
    const held = surface.stateOf(blockId, stringOf(element['action_id'])) ?? {};
    const known = [...looked.seen, ...optionsIn(held), ...optionsIn(element)];
    return { offered: looked.choices, known, note: looked.note };
  }
  const all = type === 'static_select' ? choicesOf(element) : workspaceChoices(type, state.snapshot, element);
  return { offered: matchingChoices(all, query), known: all, note: null };
}

/** The options that an element or its state holds as chosen. */
function optionsIn(holder: Json): Choice[] {
  const single = [holder['selected_option'], holder['initial_option']].map((option) => recordOf(option));
  const several = [...recordsOf(holder['selected_options']), ...recordsOf(holder['initial_options'])];
  return [...single.filter((option) => option !== null), ...several].map((option) => choiceOf(option));
}

interface LookedUp {
  choices: Choice[];
  seen: Choice[];
  note: string | null;
}

/** Asks the app for what an external select offers, a moment after the last key. */
function useLookedUp(element: Json, blockId: string, query: string): LookedUp {
  const surface = useSurface();
  const isExternal = stringOf(element['type']).endsWith('external_select');
  const minQuery = numberOf(element['min_query_length']) ?? DEFAULT_MIN_QUERY;
  const isLongEnough = query.length >= minQuery;
  const [found, setFound] = useState<LookedUp>({ choices: [], seen: [], note: null });
  useEffect(() => {
    if (!isExternal || !isLongEnough) return undefined;
    let isCurrent = true;
    const show = (choices: Choice[], note: string | null) => {
      if (isCurrent) setFound((before) => ({ choices, seen: [...choices, ...before.seen].slice(0, 500), note }));
    };
    const timer = setTimeout(() => {
      show([], 'Looking…');
      surface.suggest(blockId, stringOf(element['action_id']), query).then(
        (options) =>
          show(
            options.map(({ text, value }) => ({ value, label: text, description: undefined, group: null })),
            null,
          ),
        (error: unknown) => show([], error instanceof Error ? error.message : 'The options could not be loaded'),
      );
    }, LOOK_UP_DELAY_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [isExternal, isLongEnough, query, blockId]);
  if (isLongEnough) return found;
  return { ...found, choices: [], note: `Type ${minQuery} or more characters` };
}

/** People, channels or conversations of the workspace, as the element wants them filtered. */
function workspaceChoices(type: string, snapshot: Snapshot | null, element: Json): Choice[] {
  if (snapshot === null) return [];
  const people = snapshot.people
    .filter(({ isDeactivated, isBot }) => !isDeactivated && !isBot)
    .map(({ id, name, handle }): Choice => ({ value: id, label: name, description: `@${handle}`, group: null }));
  if (type === 'users_select') return people;
  const include = recordOf(element['filter'])?.['include'];
  const wants = (kind: string) =>
    type === 'channels_select' ? kind === 'public' : !Array.isArray(include) || include.includes(kind);
  const channels = snapshot.channels
    .filter(({ kind, isArchived }) => kind !== 'dm' && !isArchived && wants(kind))
    .map(({ id, name, kind }): Choice => {
      return { value: id, label: `#${name}`, description: kind === 'private' ? 'private' : undefined, group: null };
    });
  return wants('im') ? [...channels, ...people] : channels;
}
