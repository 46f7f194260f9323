/** Checks a whole message or view: its blocks, where they are, and what they have together. */
import { isJson, objectsIn, textOf, type Json } from '../../json.ts';
import { blocks as blockTypes } from './blocks.ts';
import { faultsOf, unsupported, type Fault } from './check.ts';
import { typed } from './shape.ts';
import {
  blockSurfaces,
  countedApart,
  elementSurfaces,
  mostBlocks,
  mostBytesOfView,
  mostCharacters,
  mostOfType,
  mostTextOfMessage,
  textOfHeader,
  views,
  type Surface,
} from './surfaces.ts';

export type { Fault } from './check.ts';

const anyBlock = typed(blockTypes);
const anyView = typed(views);

/** @returns every broken rule of the blocks of a message or view; empty if Slack takes them */
export function blockFaults(blocks: readonly unknown[], surface: Surface): Fault[] {
  const most = mostBlocks[surface];
  const parts = blocks.map((block, index) => objectsWithin(block, `/blocks/${index}`));
  return [
    ...blocks.flatMap((block, index) => faultsOf(block, anyBlock, `/blocks/${index}`)),
    ...parts.flatMap((inBlock) => placeFaults(inBlock, surface)),
    ...(blocks.length > most ? [{ pointer: '/blocks', message: `no more than ${most} items allowed` }] : []),
    ...repeated(parts.flat(), 'block_id'),
    ...parts.flatMap((inBlock) => repeated(inBlock, 'action_id')),
    ...focusFaults(parts.flat()),
    ...typeFaults(parts),
  ];
}

/** @returns every broken rule of a view; its size is a matter of `isViewTooLarge` */
export function viewFaults(view: Json): Fault[] {
  const { blocks, ...frame } = view;
  const faults = faultsOf(frame, anyView, '');
  if (blocks === undefined) return [...faults, { pointer: '', message: 'missing required field: blocks' }];
  if (!Array.isArray(blocks)) return [...faults, { pointer: '/blocks', message: 'must provide an array' }];
  const isForm = objectsIn(blocks).some(({ type }) => type === 'input');
  return [
    ...faults,
    ...blockFaults(blocks, view['type'] === 'home' ? 'home' : 'modal'),
    ...(view['type'] === 'modal' && isForm && view['submit'] === undefined
      ? [{ pointer: '', message: 'missing required field: submit' }]
      : []),
  ];
}

/** Slack refuses it with `view_too_large`, without naming a place. */
export const isViewTooLarge = (view: Json): boolean => Buffer.byteLength(JSON.stringify(view)) > mostBytesOfView;

/** Slack refuses it with `msg_blocks_too_long`, without naming a place. */
export const isTextTooLong = (blocks: readonly unknown[]): boolean => textLength(blocks) > mostTextOfMessage;

function textLength(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + textLength(item), 0);
  if (!isJson(value) || countedApart.some((type) => type === value['type'])) return 0;
  return Object.entries(value).reduce(
    (sum, [name, member]) =>
      sum + (name === 'text' && typeof member === 'string' ? sentLength(member) : textLength(member)),
    value['type'] === 'header' ? textOfHeader : 0,
  );
}

/** The length of a text in which `&`, `<` and `>` are entities, as Slack keeps it. */
function sentLength(text: string): number {
  const plain = text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
  return plain.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').length;
}

interface Part {
  value: Json;
  pointer: string;
}

/** Returns the objects in a value, the value first. */
function objectsWithin(value: unknown, pointer: string): Part[] {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.entries(value).flatMap(([name, member]) =>
    typeof member === 'object' ? objectsWithin(member, `${pointer}/${name}`) : [],
  );
  return isJson(value) ? [{ value, pointer }, ...inside] : inside;
}

const surfacesOfBlock = new Map<unknown, readonly Surface[]>(Object.entries(blockSurfaces));
const surfacesOfElement = new Map<unknown, readonly Surface[]>(Object.entries(elementSurfaces));

function placeFaults([block, ...parts]: readonly Part[], surface: Surface): Fault[] {
  if (!block) return [];
  const { type } = block.value;
  if (surfacesOfBlock.get(type)?.includes(surface) === false) return [unsupported(type, block.pointer)];
  return parts
    .filter(({ value }) => surfacesOfElement.get(value['type'])?.includes(surface) === false)
    .map(({ value, pointer }) => unsupported(value['type'], pointer));
}

function repeated(parts: readonly Part[], member: 'block_id' | 'action_id'): Fault[] {
  const seen = new Set<string>();
  return parts.flatMap(({ value, pointer }): Fault[] => {
    const id = value[member];
    if (typeof id !== 'string') return [];
    const isNew = !seen.has(id);
    seen.add(id);
    return isNew ? [] : [{ pointer: `${pointer}/${member}`, message: `${member} "${id}" already exists` }];
  });
}

function focusFaults(parts: readonly Part[]): Fault[] {
  return parts
    .filter(({ value }) => value['focus_on_load'] === true)
    .slice(1)
    .map(({ pointer }) => ({ pointer: `${pointer}/focus_on_load`, message: 'only one element can be focused' }));
}

/** The rules about all blocks of one type. */
function typeFaults(blocks: readonly (readonly Part[])[]): Fault[] {
  const ofType = (type: string) => blocks.filter(([block]) => block?.value['type'] === type);
  const tooMany = Object.entries(mostOfType).flatMap(([type, most]) =>
    ofType(type)
      .flatMap(([block]) => block ?? [])
      .slice(most, most + 1)
      .map(({ pointer }) => ({ pointer, message: `no more than ${most} ${type} blocks allowed` })),
  );
  const tooLong = Object.entries(mostCharacters).flatMap(([type, most]): Fault[] => {
    let characters = 0;
    const first = ofType(type).find((parts) => {
      for (const { value } of parts) characters += textOf(value['text']).length;
      return characters > most;
    });
    const message = `all ${type} blocks together must be less than ${most + 1} characters`;
    return (first ?? []).slice(0, 1).map(({ pointer }) => ({ pointer, message }));
  });
  return [...tooMany, ...tooLong];
}
