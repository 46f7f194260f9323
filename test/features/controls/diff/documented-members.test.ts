import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../../src/core/platform/redaction/json.ts';
import { diffClassified } from '../../../../src/features/controls/diff/diff.ts';
import { readText } from '../../../repository/parsing/sources.ts';

const text = readText('docs/commands/controls.md');

/** The settings of the table, with what it says of each. */
const ROWS = [...text.matchAll(/^\|`([\w.]+)`\|[^|]+\|(\w+)\|(\w+)\|([\w-]+)\|$/gm)].map(
  ([, member = '', weaker = '', stronger = '', source = '']) => ({ member, weaker, stronger, source }),
);
const UNDIRECTED = [...(/^No direction: (.*)\.$/m.exec(text)?.[1] ?? '').matchAll(/`([^`]+)`/g)].map(
  ([, member = '']) => member,
);

/** Values before and after a change in a direction of the table. */
const DIRECTIONS: Readonly<Record<string, readonly (readonly [Json | undefined, Json | undefined])[]>> = {
  on: [[false, true]],
  off: [
    [true, false],
    [true, undefined],
  ],
  higher: [
    ['low', 'medium'],
    ['low', 'high'],
    ['medium', 'high'],
    ['off', 'low'],
  ],
  lower: [
    ['high', 'medium'],
    ['high', 'off'],
    ['medium', 'low'],
  ],
  longer: [[['a'], ['a', 'b']]],
  shorter: [[['a', 'b'], ['a']]],
  gone: [
    [{ PreToolUse: [{ matcher: 'a' }, { matcher: 'b' }] }, { PreToolUse: [{ matcher: 'a' }] }],
    [{ PreToolUse: [{ matcher: 'a' }] }, {}],
    [{ PreToolUse: [{ matcher: 'a' }] }, undefined],
  ],
  new: [
    [{ PreToolUse: [{ matcher: 'a' }] }, { PreToolUse: [{ matcher: 'a' }, { matcher: 'b' }] }],
    [{}, { PreToolUse: [{ matcher: 'a' }] }],
    [undefined, { PreToolUse: [{ matcher: 'a' }] }],
  ],
};

function within(member: string, value: Json | undefined): JsonObject {
  const [first = '', ...rest] = member.split('.');
  if (rest.length > 0) return { [first]: within(rest.join('.'), value) };
  return value === undefined ? {} : { [first]: value };
}

const verdictsOf = (member: string, before: Json | undefined, after: Json | undefined) =>
  diffClassified(within(member, before), within(member, after)).map(({ verdict }) => verdict?.kind);

describe('the table of documented settings', () => {
  test.each(ROWS)('is right about $member', ({ member, weaker, stronger }) => {
    for (const [kind, direction] of Object.entries({ weaker, stronger })) {
      // The deprecated mode has its own names of the same ranks.
      const rename = (value: Json | undefined): Json | undefined =>
        !member.endsWith('Mode') || typeof value !== 'string' ? value : value === 'off' ? 'spec' : `auto-${value}`;
      const changes = DIRECTIONS[direction] ?? [];
      expect(changes.length).toBeGreaterThan(0);
      for (const [before, after] of changes)
        expect([direction, verdictsOf(member, rename(before), rename(after))]).toEqual([direction, [kind]]);
    }
  });

  test.each(UNDIRECTED)('claims no direction for %s, and neither do the rules', (member) => {
    const changes = [...Object.values(DIRECTIONS).flat(), ['a', 'b'], [1, 2], [2, 1]] as const;
    // A whole policy that is removed is always weaker.
    const kept = changes.filter(([, after]) => member !== 'userModelPolicies' || after !== undefined);
    expect(kept.flatMap(([before, after]) => verdictsOf(member, before, after))).not.toContain('weaker');
  });

  test('names each setting once, with the contract or a month as its source', () => {
    const members = [...ROWS.map(({ member }) => member), ...UNDIRECTED];
    expect(new Set(members).size).toBe(members.length);
    expect(members.length).toBeGreaterThan(55);
    for (const { source } of ROWS) expect(source).toMatch(/^(contract|2026-\d\d(-\d\d)?)$/);
  });
});

describe('a change of autonomy', () => {
  test.each<[string, Json | undefined, Json | undefined, string]>([
    ['subagentAutonomyLevel', 'inherit', 'high', 'weaker'],
    ['subagentAutonomyLevel', 'high', 'inherit', 'stronger'],
    ['subagentAutonomyLevel', 'off', 'inherit', 'weaker'],
    ['subagentAutonomyLevel', 'inherit', 'medium', 'relevant'],
    ['subagentAutonomyLevel', undefined, 'high', 'relevant'],
    ['maxAutonomyLevel', 'medium', undefined, 'weaker'],
    ['maxAutonomyLevel', undefined, 'medium', 'stronger'],
    ['maxAutonomyLevel', 'medium', 'boundless', 'relevant'],
    ['mcpAutonomyUrlOverrides', [{ urlPattern: 'https://a.example/x/*' }], [{ urlPattern: 'https://*' }], 'weaker'],
    ['mcpAutonomyUrlOverrides', [{ urlPattern: 'https://*' }], [{ urlPattern: 'https://a.example/x/*' }], 'stronger'],
    [
      'mcpAutonomyUrlOverrides',
      [{ urlPattern: 'https://a.example/*' }],
      [{ urlPattern: 'https://b.example/*' }],
      'relevant',
    ],
    ['mcpAutonomyUrlOverrides', undefined, [{ urlPattern: 'https://a.example/*' }], 'weaker'],
    ['hooks', { Stop: [{ matcher: 'a' }] }, { Stop: [{ matcher: 'b' }] }, 'relevant'],
  ])('of %s from %o to %o is %s', (member, before, after, kind) => {
    expect(verdictsOf(member, before, after)).toEqual([kind]);
  });
});
