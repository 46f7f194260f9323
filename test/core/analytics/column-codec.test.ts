import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Column,
  decodeColumns,
  encodeRows,
  isNumberColumn,
  numberColumn,
  textAt,
  textColumn,
} from '../../../src/core/analytics/columns/column-codec.ts';

const number = fc.oneof(
  fc.nat(300),
  fc.double(),
  fc.constantFrom(0, -0, 1, 127, 128, 2 ** 32 - 1, 2 ** 32, 2 ** 53 - 1, 2 ** 53, -1, 0.5, Number.NaN, Infinity),
);
const whole = fc.oneof(fc.nat(), fc.constantFrom(2 ** 32, 2 ** 40, Number.NaN));
const text = fc.option(fc.string({ unit: 'binary', maxLength: 6 }), { nil: null });

/** A value of each row, by column; the texts and numbers are compared as they were, not as they are stored. */
const valuesOf = (column: Column, length: number) =>
  Array.from({ length }, (_, row) => (isNumberColumn(column) ? column[row] : textAt(column, row)));

test('rows are read as they were written, in the order of their keys', () => {
  const row = fc.record({ key: fc.oneof(fc.nat(20), fc.nat(2 ** 32 - 1)), number, whole, text });
  fc.assert(
    fc.property(fc.array(row, { maxLength: 40 }), (rows) => {
      const columns = [
        numberColumn(rows.map((each) => each.number)),
        numberColumn(rows.map((each) => each.whole)),
        textColumn(rows.map((each) => each.text)),
      ];
      const decoded = decodeColumns(
        encodeRows(
          Uint32Array.from(rows, ({ key }) => key),
          columns,
        ),
      );
      const expected = rows.toSorted((one, other) => one.key - other.key);
      expect([...decoded.keys]).toEqual(expected.map(({ key }) => key));
      const read = decoded.columns.map((column) => valuesOf(column, rows.length));
      expect(read).toEqual([
        expected.map((each) => each.number),
        expected.map((each) => each.whole),
        expected.map((each) => each.text),
      ]);
    }),
    { numRuns: 500 },
  );
});

test('bytes that are cut or of an unknown format are an error', () => {
  const bytes = encodeRows(Uint32Array.of(1, 2), [numberColumn([3, 0.5]), textColumn(['a', null])]);
  for (let length = 0; length < bytes.length; length += 1)
    expect(() => decodeColumns(bytes.subarray(0, length))).toThrow(/unexpected end|Src size is incorrect/);
  const whole = zstdDecompressSync(bytes);
  const decode = (changed: Buffer) => () => decodeColumns(zstdCompressSync(changed));
  for (let length = 4; length < whole.length; length += 1)
    expect(decode(whole.subarray(0, length))).toThrow(/JSON|too early/);
  const replaced = (text: string, by: string) => Buffer.from(whole.toString('latin1').replace(text, by), 'latin1');
  expect(decode(replaced('"format":1', '"format":2'))).toThrow('format');
  expect(decode(replaced('"layouts":[', '"layouts":{'))).toThrow('JSON');
  expect(decode(replaced('"rows":2', '"rows":9'))).toThrow('too early');
});

test('a day of 10,000 people, of whom seven of ten are active, takes at most 20 KB', () => {
  // Amounts from one to a million, each order of magnitude as often as another: more than a real organization’s vary.
  let state = 7;
  const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  const keys = Uint32Array.from({ length: 10_000 }, (_, key) => key + 1).filter(() => random() < 0.7);
  const credits = Array.from(keys, () => Math.floor(10 ** (6 * random())));
  expect(encodeRows(keys, [numberColumn(credits)]).length).toBeLessThanOrEqual(20 * 1024);
});
