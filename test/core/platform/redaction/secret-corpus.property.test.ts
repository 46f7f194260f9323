import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRedact } from '../../../../src/core/platform/redaction/redact.ts';
import { propertyRuns } from '../../../support/property-runs.ts';
import { HARMLESS_COMMANDS, HARMLESS_NAMES } from './harmless-values.ts';
import { SHAPES, isLeaked } from './secret-corpus.ts';

const redact = createRedact('a key of this installation');
const SEED = 20260302;

/** Spreads any number of cases over all places, kinds and forms, since it divides none of their numbers. */
const STEP = 7_919;

describe('secrets that a name, an option, a header, a program or an address announces', () => {
  test('are hidden in each form, of each kind, at each place', () => {
    const leaks: string[] = [];
    for (let count = 0; count < propertyRuns(SHAPES.length); count += 1) {
      const index = (count * STEP) % SHAPES.length;
      const shape = SHAPES[index];
      const [secret] = shape ? fc.sample(shape.secret, { numRuns: 1, seed: SEED + index }) : [];
      if (!shape || secret === undefined) throw new Error(`There is no shape ${index}.`);
      const shown = JSON.stringify(redact(shape.put(secret)));
      if (isLeaked(shown, secret)) leaks.push(`${shape.name}: ${shown}`);
    }
    expect(leaks).toEqual([]);
  }, 240_000);

  test('are hidden whatever they are', () => {
    const drawn = fc.nat(SHAPES.length - 1).chain((index) => {
      const { name, secret, put } = SHAPES[index] ?? { name: '', secret: fc.constant(''), put: () => ({}) };
      return secret.map((text) => ({ name, text, settings: put(text) }));
    });
    fc.assert(
      fc.property(drawn, ({ text, settings }) => !isLeaked(JSON.stringify(redact(settings)), text)),
      { numRuns: propertyRuns(20_000) },
    );
  }, 120_000);

  test('would be noticed if they leaked', () => {
    for (const { secret, put } of SHAPES.slice(0, 500)) {
      const [text = ''] = fc.sample(secret, { numRuns: 1, seed: SEED });
      expect(isLeaked(JSON.stringify(put(text)), text)).toBe(true);
    }
  });
});

describe('harmless values', () => {
  const values = [...HARMLESS_COMMANDS, ...HARMLESS_NAMES];
  /** At most 1 % may be hidden, even in part. */
  const most = Math.floor(values.length / 100);

  test('are at least 300 different ones', () => {
    expect(new Set(values).size).toBe(values.length);
    expect(values.length).toBeGreaterThanOrEqual(300);
  });

  test.each<[string, (list: readonly string[]) => Record<string, unknown>]>([
    ['allowed commands', (list) => ({ commandAllowlist: list })],
    ['denied commands', (list) => ({ commandDenylist: list })],
    ['allowed servers', (list) => ({ mcpPolicy: { allowlist: list } })],
    ['domains', (list) => ({ sandbox: { network: { allowedDomains: list } } })],
  ])('are shown as %s, alone and in one list', (_name, put) => {
    const hidden = values.filter((value) => JSON.stringify(redact(put([value]))) !== JSON.stringify(put([value])));
    expect(hidden.slice(most)).toEqual([]);
    const text = JSON.stringify(redact(put(values)));
    const missing = values.filter((value) => !text.includes(JSON.stringify(value)));
    expect(missing.slice(most)).toEqual([]);
  });
});
