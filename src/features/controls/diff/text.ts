import { canonical, type Json } from '../../../core/platform/redaction/json.ts';
import { withReadableMarks } from '../../../core/platform/redaction/marks.ts';
import { markup, markupLength, type Markup } from '../../../core/base/text/markup.ts';
import { countOf } from '../../../core/base/text/numbers.ts';
import type { Change, Path } from './change.ts';
import { keyOfItems } from './lists.ts';
import { isSecret, MAX_VALUE_LENGTH, memberMarkup, valueMarkup, valuesMarkup } from './paths.ts';

const MAX_ENTRIES = 5;
/** A character may become five when escaped: a line with two values and a name must fit into a block. */
const MAX_VALUE_IN_FULL_LENGTH = 450;
const MAX_ENTRIES_LENGTH = 1_500;
/** The length of each value in a sentence about both. */
const MAX_CHANGED = 100;
const MAX_LINE_LENGTH = 2_800;

/** Describes a change in one sentence; entries that do not fit are counted. */
export function shortSentence(change: Change): Markup {
  const member = memberMarkup(change.path);
  switch (change.kind) {
    case 'added':
      return markup`${member} ${newWords(change.after)}`;
    case 'removed':
      return markup`${member} ${goneWords(change.before)}`;
    case 'changed':
      return changedSentence(change, MAX_CHANGED);
    case 'list':
      return markup`${member}: ${listWords(change)}`;
    case 'reordered':
      return markup`${member}: the same entries in another order`;
    case 'moved':
      return markup`${memberMarkup(change.from)} is now ${member}, with the same value`;
    default:
      return change satisfies never;
  }
}

function newWords(value: Json): Markup {
  return isSmall(value) || isShortList(value)
    ? markup`is new: ${valueMarkup(value)}`
    : markup`is new, with ${partsWords(value)}`;
}

function goneWords(value: Json): Markup {
  return isSmall(value) || isShortList(value)
    ? markup`was removed (was ${valueMarkup(value)})`
    : markup`was removed, with ${partsWords(value)}`;
}

const isShortList = (value: Json) => Array.isArray(value) && sizeOf(value) <= MAX_ENTRIES;

/** Lists the member names of an object; the thread shows their values. */
function partsWords(value: Json): Markup {
  if (Array.isArray(value)) return markup`${countOf(value.length, 'entry', 'entries')}`;
  return valuesMarkup(Object.keys(value ?? {}), MAX_ENTRIES);
}

function sizeOf(value: Json): number {
  return typeof value === 'object' && value !== null
    ? Object.values(value).reduce<number>((sum, member) => sum + sizeOf(member), 0)
    : 1;
}

function changedSentence({ path, before, after }: Extract<Change, { kind: 'changed' }>, length: number): Markup {
  const member = memberMarkup(path);
  if (typeof before === 'boolean' && typeof after === 'boolean')
    return markup`${member} was switched ${valueMarkup(after)}`;
  if (isSecret(before) && isSecret(after)) return markup`${member} changed (${valueMarkup(after)})`;
  if (isSecret(after)) return markup`${member} was set (${valueMarkup(after)})`;
  if (readable(before) === readable(after))
    return markup`${member} changed in a hidden part (${valueMarkup(after, length)})`;
  return markup`${member}: ${valueMarkup(before, length)} → ${valueMarkup(after, length)}`;
}

const readable = (value: Json) => withReadableMarks(canonical(value));

const readableEntries = (values: readonly Json[]) => values.map((value) => readable(value)).toSorted();

function listWords({ added, removed, sizeAfter }: Extract<Change, { kind: 'list' }>): Markup {
  const isSameToReaders = readableEntries(added).join('\n') === readableEntries(removed).join('\n');
  if (isSameToReaders) return markup`${countOf(added.length, 'entry', 'entries')} changed in a hidden part`;
  const emptyNote = sizeAfter === 0 ? markup` (the list is empty now)` : markup``;
  if (added.length === 0) return markup`removed ${valuesMarkup(removed, MAX_ENTRIES)}${emptyNote}`;
  if (removed.length === 0) return markup`added ${valuesMarkup(added, MAX_ENTRIES)}`;
  return markup`added ${valuesMarkup(added, MAX_ENTRIES)}; removed ${valuesMarkup(removed, MAX_ENTRIES)}`;
}

/** Describes a change in full, one line per part; every line fits into a block. */
export function fullSentences(change: Change): Markup[] {
  switch (change.kind) {
    case 'added':
      return wholeValue(change.path, change.after, (member, value) => markup`${member} is new: ${value}`);
    case 'removed':
      return wholeValue(change.path, change.before, (member, value) => markup`${member} was removed (was ${value})`);
    case 'changed':
      return fullChange(change);
    case 'list':
      return [
        ...entryLines(change.path, 'added', change.added),
        ...entryLines(change.path, 'removed', change.removed),
        ...(change.sizeAfter === 0 ? [markup`${memberMarkup(change.path)}: the list is empty now`] : []),
      ];
    case 'reordered':
    case 'moved':
      return [shortSentence(change)];
    default:
      return change satisfies never;
  }
}

function fullChange(change: Extract<Change, { kind: 'changed' }>): Markup[] {
  const { path, before, after } = change;
  const sentence = changedSentence(change, MAX_VALUE_IN_FULL_LENGTH);
  if (isSmall(before) && isSmall(after) && markupLength(sentence) <= MAX_LINE_LENGTH) return [sentence];
  return [
    ...wholeValue(path, before, (member, value) => markup`${member} was ${value}`),
    ...wholeValue(path, after, (member, value) => markup`${member} is now ${value}`),
  ];
}

const isSmall = (value: Json) => typeof value !== 'object' || value === null || Object.keys(value).length === 0;

type Say = (member: Markup, value: Markup) => Markup;

/** Describes a value in full, member by member; lists of simple values entry by entry. */
function wholeValue(path: Path, value: Json, say: Say): Markup[] {
  const member = memberMarkup(path);
  if (isSmall(value)) return [say(member, valueMarkup(value, MAX_VALUE_IN_FULL_LENGTH))];
  const ids = Array.isArray(value) ? keyOfItems(value) : undefined;
  if (ids) return [...ids].flatMap(([id, item]) => wholeValue([...path, id], item, say));
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object' || item === null)) {
    return inPortions(value).map((some) => say(member, valuesMarkup(some, some.length)));
  }
  return Object.entries(value ?? {}).flatMap(([name, inner]) => wholeValue([...path, name], inner, say));
}

function inPortions(entries: readonly Json[]): Json[][] {
  const portions: Json[][] = [];
  let length = Infinity;
  for (const entry of entries) {
    const size = markupLength(valueMarkup(entry)) + 2;
    length += size;
    if (length > MAX_ENTRIES_LENGTH) {
      portions.push([entry]);
      length = size;
    } else portions.at(-1)?.push(entry);
  }
  return portions;
}

function entryLines(path: Path, what: string, entries: readonly Json[]): Markup[] {
  return inPortions(entries).map((some) => markup`${memberMarkup(path)}: ${what} ${valuesMarkup(some, some.length)}`);
}

export function valueLines(path: Path, value: Json): Markup[] {
  return wholeValue(path, value, (member, text) => markup`${member}: ${text}`);
}

/** Whether one sentence says everything. */
export function isWhole(change: Change): boolean {
  switch (change.kind) {
    case 'added':
      return (isSmall(change.after) || isShortList(change.after)) && lengthOf(change.after) <= MAX_VALUE_LENGTH;
    case 'removed':
      return (isSmall(change.before) || isShortList(change.before)) && lengthOf(change.before) <= MAX_VALUE_LENGTH;
    case 'changed':
      return Math.max(lengthOf(change.before), lengthOf(change.after)) <= MAX_CHANGED;
    case 'list':
      return [change.added, change.removed].every(
        (some) => some.length <= MAX_ENTRIES && some.every((one) => lengthOf(one) <= MAX_VALUE_LENGTH),
      );
    case 'reordered':
    case 'moved':
      return true;
    default:
      return change satisfies never;
  }
}

const lengthOf = (value: Json) => (isSecret(value) ? 0 : JSON.stringify(value).length);
