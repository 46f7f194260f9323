import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { diffSettings } from '../../../../src/features/controls/diff/changes.ts';
import { type Change, type Path } from '../../../../src/features/controls/diff/change.ts';
import { fullSentences, shortSentence } from '../../../../src/features/controls/diff/text.ts';
import { canonical, type Json, type JsonObject } from '../../../../src/core/platform/redaction/json.ts';
import { mrkdwnOf } from '../../../../src/core/base/text/markup.ts';
import { propertyRuns } from '../../../support/property-runs.ts';

const scalar = fc.oneof(
  fc.boolean(),
  fc.integer({ min: -20, max: 200 }),
  fc.constantFrom('', 'a', 'beta', 'atlas-large', 'ring two'),
);
const name = fc.constantFrom('a', 'b', 'ring', 'sandbox', 'allowlist', '__proto__', 'toString', 'x y');
const { object: settings } = fc.letrec<{ value: Json; object: JsonObject }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', maxDepth: 4 },
    scalar,
    fc.array(scalar, { maxLength: 4 }),
    fc.uniqueArray(fc.record({ id: fc.constantFrom('one', 'two', 'three'), of: tie('value') }), {
      selector: ({ id }) => id,
      maxLength: 3,
    }),
    tie('object'),
  ),
  object: fc
    .uniqueArray(fc.tuple(name, tie('value')), { selector: ([key]) => key, maxLength: 5 })
    .map((members) => Object.fromEntries(members)),
}));

/** A value to which changes are applied: objects and lists of items with ids as maps, all other values unchanged. */
type Tree = Map<string, Tree> | Json;

function grow(value: Json): Tree {
  if (!Array.isArray(value) && typeof value === 'object' && value !== null)
    return new Map(Object.entries(value).map(([key, member]) => [key, grow(member)]));
  const ids = Array.isArray(value) ? value.map((item) => idOf(item)) : [];
  if (!Array.isArray(value) || value.length === 0 || ids.some((id) => id === undefined)) return value;
  return new Map(value.map((item, index) => [`${ids[index]}`, grow(item)]));
}

function idOf(item: Json): string | undefined {
  const id = typeof item === 'object' && item !== null && !Array.isArray(item) ? item['id'] : undefined;
  return typeof id === 'string' ? id : undefined;
}

function place(tree: Tree, [key = '', ...rest]: Path, put: (inner: Map<string, Tree>, last: string) => void): Tree {
  const inner = tree instanceof Map ? tree : new Map<string, Tree>();
  if (rest.length === 0) put(inner, key);
  else inner.set(key, place(inner.get(key) ?? new Map<string, Tree>(), rest, put));
  return inner;
}

function apply(tree: Tree, change: Change): void {
  const put = (path: Path, value: Json) => place(tree, path, (inner, key) => inner.set(key, grow(value)));
  const take = (path: Path) => place(tree, path, (inner, key) => inner.delete(key));
  if (change.kind === 'added' || change.kind === 'changed') put(change.path, change.after);
  if (change.kind === 'removed') take(change.path);
  if (change.kind === 'moved') {
    take(change.from);
    put(change.path, change.value);
  }
  if (change.kind === 'list') {
    place(tree, change.path, (inner, key) => {
      const before = entriesOf(inner.get(key) ?? []);
      for (const removed of change.removed) before.splice(before.indexOf(canonical(removed)), 1);
      const after = [...before, ...change.added.map((item) => canonical(item))];
      if (after.length !== change.sizeAfter) throw new Error(`${after.length} entries, not ${change.sizeAfter}`);
      inner.set(key, grow(after.map((item): Json => JSON.parse(item))));
    });
  }
}

function entriesOf(tree: Tree): string[] {
  const items = tree instanceof Map ? [...tree.values()].map((item) => plainOf(item)) : tree;
  return Array.isArray(items) ? items.map((item) => canonical(item)) : [];
}

function plainOf(tree: Tree): Json {
  if (!(tree instanceof Map)) return tree;
  return Object.fromEntries([...tree].map(([key, inner]) => [key, plainOf(inner)]));
}

/** Ignores the order. An empty list equals a list without items that have ids. */
function normal(tree: Tree): unknown {
  if (tree instanceof Map) return Object.fromEntries([...tree].map(([key, inner]) => [key, normal(inner)]));
  return Array.isArray(tree) && tree.length === 0 ? {} : Array.isArray(tree) ? entriesOf(tree).toSorted() : tree;
}

describe('a diff of two revisions', () => {
  test('is empty if nothing changed, and leads from the old revision to the new one otherwise', () => {
    fc.assert(
      fc.property(settings, settings, (before, after) => {
        expect(diffSettings(before, structuredClone(before))).toEqual([]);
        const changes = diffSettings(before, after);
        const tree = grow(before);
        for (const change of changes) apply(tree, change);
        expect(normal(tree)).toEqual(normal(grow(after)));
      }),
      { numRuns: propertyRuns(2_000) },
    );
  });

  test('reports each change once, and in full within a block', () => {
    fc.assert(
      fc.property(settings, settings, (before, after) => {
        const changes = diffSettings(before, after);
        const places = changes.map(({ kind, path }) => `${kind === 'reordered'}${path.join('\u0000')}`);
        expect(new Set(places).size).toBe(places.length);
        for (const change of changes) {
          expect(mrkdwnOf(shortSentence(change))).not.toBe('');
          expect(fullSentences(change).length).toBeGreaterThan(0);
        }
      }),
    );
  });

  test('compares custom models by their id, at any position', () => {
    const before = {
      customModels: [
        { id: 'a', index: 0 },
        { id: 'b', index: 1 },
      ],
    };
    const after = { customModels: [{ id: 'b', index: 1 }, { id: 'c' }, { id: 'a', index: 2 }] };
    expect(diffSettings(before, after)).toEqual([
      { kind: 'changed', path: ['customModels', 'a', 'index'], before: 0, after: 2 },
      { kind: 'added', path: ['customModels', 'c'], after: { id: 'c' } },
      { kind: 'reordered', path: ['customModels'] },
    ]);
  });

  test('reports a renamed or moved member as one change if its value is distinctive', () => {
    const before = { rolloutRing: 'beta', old: { inner: { a: [1] } }, on: true };
    const after = { ring: 'beta', inner: { a: [1] }, isOn: true, old: {} };
    expect(diffSettings(before, after)).toEqual([
      { kind: 'removed', path: ['on'], before: true },
      { kind: 'moved', path: ['ring'], from: ['rolloutRing'], value: 'beta' },
      { kind: 'moved', path: ['inner'], from: ['old', 'inner'], value: { a: [1] } },
      { kind: 'added', path: ['isOn'], after: true },
    ]);
  });
});

describe('a sentence', () => {
  const said = (before: JsonObject, after: JsonObject) =>
    diffSettings(before, after).map((change) => mrkdwnOf(shortSentence(change)));
  const secret = (print: string) => `‹secret #${print}, 20–39 characters›`;

  test.each<[string, JsonObject, JsonObject, string]>([
    ['a switch', { on: true }, { on: false }, '`on` was switched *off*'],
    ['a number', { days: 90 }, { days: 30 }, '`days`: `90` → `30`'],
    ['a list', { list: ['a', 'b'] }, { list: ['b', 'c'] }, '`list`: added `c`; removed `a`'],
    ['an emptied list', { list: ['a'] }, { list: [] }, '`list`: removed `a` (the list is empty now)'],
    ['a long list', { list: [] }, { list: [1, 2, 3, 4, 5, 6, 7] }, '`list`: added `1`, `2`, `3`, `4`, `5` and 2 more'],
    ['another order', { list: ['a', 'b'] }, { list: ['b', 'a'] }, '`list`: the same entries in another order'],
    ['another type', { ring: 'a' }, { ring: ['a'] }, '`ring`: `a` → [`a`]'],
    ['a new member', {}, { ring: { of: 1 } }, '`ring` is new, with `of`'],
    ['one that went', { ring: true }, {}, '`ring` was removed (was *on*)'],
    ['a new name', { ring: 'beta' }, { rollout: 'beta' }, '`ring` is now `rollout`, with the same value'],
    [
      'another secret',
      { customModels: [{ id: 'custom:a', apiKey: secret('aaaaaaaaaaaa') }] },
      { customModels: [{ id: 'custom:a', apiKey: secret('bbbbbbbbbbbb') }] },
      '`customModels[custom:a].apiKey` changed (_hidden_)',
    ],
    ['a first secret', { apiKey: '' }, { apiKey: secret('aaaaaaaaaaaa') }, '`apiKey` was set (_hidden_)'],
    ['a secret that went', { apiKey: secret('aaaaaaaaaaaa') }, {}, '`apiKey` was removed (was _hidden_)'],
    ['text that would forge', { x: 'a' }, { x: '<!channel> `*' }, '`x`: `a` → `&lt;!channel&gt; ˋ*`'],
  ])('describes %s', (_name, before, after, sentence) => {
    expect(said(before, after)).toEqual([sentence]);
  });
});
