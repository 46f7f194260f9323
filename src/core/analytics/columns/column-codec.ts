import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { z } from 'zod';

/** Numbers by row; `NaN` if the platform left one out. */
export type NumberColumn = Uint32Array | Float64Array;

/** Texts by row, each kept once; 0 in `indexes` is a text that the platform left out, 1 the first of `texts`. */
export interface TextColumn {
  readonly texts: readonly string[];
  readonly indexes: Uint32Array;
}

export type Column = NumberColumn | TextColumn;

export const isNumberColumn = (column: Column): column is NumberColumn => ArrayBuffer.isView(column);

/** Makes the smaller of both kinds of numbers. */
export function numberColumn(values: ArrayLike<number>): NumberColumn {
  for (let row = 0; row < values.length; row += 1) {
    const value = values[row] ?? Number.NaN;
    if (value >>> 0 !== value || Object.is(value, -0)) return Float64Array.from(values);
  }
  return Uint32Array.from(values);
}

/** @param values null for one that the platform left out */
export function textColumn(values: readonly (string | null)[]): TextColumn {
  const places = new Map<string, number>();
  const indexes = Uint32Array.from(values, (value) => {
    if (value === null) return 0;
    const index = places.get(value) ?? places.size + 1;
    places.set(value, index);
    return index;
  });
  return { texts: [...places.keys()], indexes };
}

export const textAt = ({ texts, indexes }: TextColumn, row: number): string | null =>
  texts[(indexes[row] ?? 0) - 1] ?? null;

export const sizeOfColumn = (column: Column): number =>
  isNumberColumn(column)
    ? column.byteLength
    : column.indexes.byteLength + column.texts.reduce((sum, text) => sum + text.length, 0);

/**
 * How the values of a column are written. With `bytes`, whole numbers from 0 on: first the lowest byte of each row, then the
 * second of each, and so on. Such bytes are read in a loop without branches, and compress as well as shorter numbers.
 * `isOneMore`: of each value one more, and 0 for a missing one. Without `bytes`: doubles.
 */
const layoutSchema = z.object({
  bytes: z.number().int().min(0).max(7).optional(),
  isOneMore: z.boolean().optional(),
  texts: z.array(z.string()).optional(),
});
type Layout = z.infer<typeof layoutSchema>;

/** The beginning of the bytes of a day, as JSON after its length; the keys and columns follow. Keys are differences. */
const headerSchema = z.object({ format: z.literal(1), rows: z.number().int(), layouts: z.array(layoutSchema) });
type Header = z.infer<typeof headerSchema>;

const LENGTH_BYTES = 4;
const BYTE = 256;
const DOUBLE_BYTES = Float64Array.BYTES_PER_ELEMENT;

/** Writes rows into bytes, compressed, in the order of their keys: then most differences between these are 1. */
export function encodeRows(keys: Uint32Array, columns: readonly Column[]): Buffer {
  const isInOrder = keys.every((key, row) => row === 0 || key >= (keys[row - 1] ?? 0));
  if (isInOrder) return encodeInOrder(keys, columns);
  const order = new Uint32Array(keys.keys()).toSorted(
    (one, other) => (keys[one] ?? 0) - (keys[other] ?? 0) || one - other,
  );
  return encodeInOrder(
    order.map((row) => keys[row] ?? 0),
    columns.map((column) => rowsOf(column, order)),
  );
}

/** Returns some rows of a column, in this order. */
export function rowsOf(column: Column, rows: Uint32Array): Column {
  if (!isNumberColumn(column)) return { ...column, indexes: rows.map((row) => column.indexes[row] ?? 0) };
  if (column instanceof Uint32Array) return rows.map((row) => column[row] ?? 0);
  return Float64Array.from(rows, (row) => column[row] ?? Number.NaN);
}

function encodeInOrder(keys: Uint32Array, columns: readonly Column[]): Buffer {
  const differences = keys.map((key, row) => key - (row === 0 ? 0 : (keys[row - 1] ?? 0)));
  const written = [differences, ...columns].map(writeColumn);
  const header: Header = { format: 1, rows: keys.length, layouts: written.map(({ layout }) => layout) };
  const text = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(text.length);
  return zstdCompressSync(Buffer.concat([length, text, ...written.map(({ bytes }) => bytes)]));
}

/** Whether it can be written as a whole number of one more. */
const isWhole = (value: number) =>
  Number.isNaN(value) ||
  (value >= 0 && Number.isInteger(value) && Number.isSafeInteger(value + 1) && !Object.is(value, -0));

function writeColumn(column: Column): { layout: Layout; bytes: Uint8Array } {
  if (!isNumberColumn(column)) {
    const { layout, bytes } = writeWholes(column.indexes);
    return { layout: { ...layout, texts: [...column.texts] }, bytes };
  }
  if (column instanceof Uint32Array) return writeWholes(column);
  if (!column.every(isWhole))
    return { layout: {}, bytes: new Uint8Array(column.buffer, column.byteOffset, column.byteLength) };
  const { layout, bytes } = writeWholes(column.map((value) => (Number.isNaN(value) ? 0 : value + 1)));
  return { layout: { ...layout, isOneMore: true }, bytes };
}

function writeWholes(values: NumberColumn): { layout: Layout; bytes: Uint8Array } {
  let highest = 0;
  for (const value of values) highest = Math.max(highest, value);
  let count = 0;
  while (BYTE ** count <= highest) count += 1;
  const bytes = new Uint8Array(count * values.length);
  for (let place = 0; place < count; place += 1)
    for (let row = 0; row < values.length; row += 1)
      bytes[place * values.length + row] = Math.floor((values[row] ?? 0) / BYTE ** place) % BYTE;
  return { layout: { bytes: count }, bytes };
}

export interface DecodedColumns {
  keys: Uint32Array;
  columns: readonly Column[];
}

/** @returns ascending keys, and their columns. @throws Error for bytes that no version wrote whole */
export function decodeColumns(compressed: Uint8Array): DecodedColumns {
  const bytes = zstdDecompressSync(compressed);
  let at = LENGTH_BYTES + bytes.readUInt32LE();
  const { rows, layouts } = headerSchema.parse(JSON.parse(bytes.toString('utf8', LENGTH_BYTES, at)));
  const [keys, ...columns] = layouts.map((layout): Column => {
    const length = rows * (layout.bytes ?? DOUBLE_BYTES);
    const own = bytes.subarray(at, (at += length));
    if (own.length !== length) throw new RangeError('The columns end too early');
    return readColumn(own, rows, layout);
  });
  if (!(keys instanceof Uint32Array)) throw new RangeError('The columns have no keys');
  for (let row = 1; row < rows; row += 1) keys[row] = (keys[row] ?? 0) + (keys[row - 1] ?? 0);
  return { keys, columns };
}

function readColumn(bytes: Buffer, rows: number, { bytes: count, isOneMore, texts }: Layout): Column {
  if (count === undefined) {
    const values = new Float64Array(rows);
    new Uint8Array(values.buffer).set(bytes);
    return values;
  }
  if (texts) return { texts, indexes: readUint32s(bytes, rows) };
  if (isOneMore !== true) return readUint32s(bytes, rows);
  const values = new Float64Array(rows);
  for (let place = 0; place < count; place += 1)
    for (let row = 0; row < rows; row += 1)
      values[row] = (values[row] ?? 0) + (bytes[place * rows + row] ?? 0) * BYTE ** place;
  return values.map((value) => (value === 0 ? Number.NaN : value - 1));
}

/** Beyond the end, there are zeros. */
function readUint32s(bytes: Uint8Array, rows: number): Uint32Array {
  const [second, third, fourth] = [rows, 2 * rows, 3 * rows];
  const values = new Uint32Array(rows);
  const places = rows === 0 ? 0 : bytes.length / rows;
  for (let row = 0; row < rows; row += 1) values[row] = bytes[row] ?? 0;
  if (places > 1)
    for (let row = 0; row < rows; row += 1) values[row] = (values[row] ?? 0) | ((bytes[second + row] ?? 0) << 8);
  if (places > 2)
    for (let row = 0; row < rows; row += 1) values[row] = (values[row] ?? 0) | ((bytes[third + row] ?? 0) << 16);
  if (places > 3)
    for (let row = 0; row < rows; row += 1) values[row] = (values[row] ?? 0) | ((bytes[fourth + row] ?? 0) << 24);
  return values;
}
