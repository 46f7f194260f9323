import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';

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
 * How the values of a column are written. `uint32`: from 0 on, seven bits a byte. `whole`: the same beyond 32 bits, of one
 * more, 0 for a missing one. `double`: eight bytes each. `texts`: their number, each with its length, and then the indexes.
 */
const KINDS = { uint32: 0, whole: 1, double: 2, texts: 3 } as const;

/** Another number is another format. */
const FORMAT = 1;

/** Most of a month's numbers fit; those beyond it are added by a larger portion. */
const FIRST_BYTES = 4096;
const MORE = 0x80;
const LOW_BITS = 0x7f;

/** Writes numbers of seven bits a byte, the lowest first, with a mark on all bytes but the last. */
class Writer {
  #bytes = Buffer.allocUnsafe(FIRST_BYTES);
  #length = 0;

  whole(value: number): void {
    const at = this.#reserve(8);
    let rest = value;
    let end = at;
    while (rest > LOW_BITS) {
      this.#bytes[end] = (rest % MORE) | MORE;
      rest = Math.floor(rest / MORE);
      end += 1;
    }
    this.#bytes[end] = rest;
    this.#length = end + 1;
  }

  bytes(values: Uint8Array): void {
    const at = this.#reserve(values.length);
    this.#bytes.set(values, at);
    this.#length = at + values.length;
  }

  finish(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  #reserve(bytes: number): number {
    if (this.#length + bytes > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(2 * this.#bytes.length, this.#length + bytes));
      larger.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = larger;
    }
    return this.#length;
  }
}

/** Reads many numbers in one loop: a call for each takes several times as long. */
class Reader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  whole(): number {
    return this.wholes(new Float64Array(1))[0] ?? 0;
  }

  /** Fills an array; with wholes beyond 32 bits, it has to be one of doubles. */
  wholes<Values extends NumberColumn>(values: Values): Values {
    const bytes = this.#bytes;
    const end = bytes.length;
    let at = this.#at;
    for (let row = 0; row < values.length; row += 1) {
      let byte = bytes[at] ?? 0;
      at += 1;
      let value = byte & LOW_BITS;
      for (let factor = MORE; byte >= MORE && at < end; factor *= MORE) {
        byte = bytes[at] ?? 0;
        at += 1;
        value += (byte & LOW_BITS) * factor;
      }
      values[row] = value;
      if (byte >= MORE || at > end) throw new RangeError('The columns end too early');
    }
    this.#at = at;
    return values;
  }

  bytes(count: number): Buffer {
    const end = this.#at + count;
    if (end > this.#bytes.length) throw new RangeError('The columns end too early');
    const bytes = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return bytes;
  }
}

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
  const writer = new Writer();
  writer.whole(FORMAT);
  writer.whole(keys.length);
  let before = 0;
  for (const key of keys) {
    writer.whole(key - before);
    before = key;
  }
  writer.whole(columns.length);
  for (const column of columns) writeColumn(writer, column);
  return zstdCompressSync(writer.finish());
}

function writeColumn(writer: Writer, column: Column): void {
  if (!isNumberColumn(column)) {
    writer.whole(KINDS.texts);
    writer.whole(column.texts.length);
    for (const text of column.texts) {
      // Like JSON in a text column: a half of a pair of code units survives.
      const bytes = Buffer.from(JSON.stringify(text));
      writer.whole(bytes.length);
      writer.bytes(bytes);
    }
    for (const index of column.indexes) writer.whole(index);
    return;
  }
  const kind = kindOf(column);
  writer.whole(KINDS[kind]);
  if (kind === 'uint32') for (const value of column) writer.whole(value);
  else if (kind === 'whole') for (const value of column) writer.whole(Number.isNaN(value) ? 0 : value + 1);
  else writer.bytes(Buffer.from(column.buffer, column.byteOffset, column.byteLength));
}

function kindOf(column: NumberColumn): 'uint32' | 'whole' | 'double' {
  if (column instanceof Uint32Array) return 'uint32';
  const isWhole = (value: number) =>
    Number.isNaN(value) ||
    (value >= 0 && Number.isSafeInteger(value + 1) && Number.isInteger(value) && !Object.is(value, -0));
  return column.every(isWhole) ? 'whole' : 'double';
}

export interface DecodedColumns {
  keys: Uint32Array;
  columns: readonly Column[];
}

/** @returns ascending keys, and their columns. @throws RangeError for bytes that no version wrote whole */
export function decodeColumns(compressed: Uint8Array): DecodedColumns {
  const reader = new Reader(zstdDecompressSync(compressed));
  const format = reader.whole();
  if (format !== FORMAT) throw new RangeError(`The columns have format ${format}, which is unknown`);
  const keys = reader.wholes(new Uint32Array(reader.whole()));
  for (let row = 1; row < keys.length; row += 1) keys[row] = (keys[row] ?? 0) + (keys[row - 1] ?? 0);
  const columns = Array.from({ length: reader.whole() }, () => readColumn(reader, keys.length));
  return { keys, columns };
}

function readColumn(reader: Reader, length: number): Column {
  const kind = reader.whole();
  if (kind === KINDS.texts) {
    const texts = Array.from({ length: reader.whole() }, () =>
      String(JSON.parse(reader.bytes(reader.whole()).toString())),
    );
    return { texts, indexes: reader.wholes(new Uint32Array(length)) };
  }
  if (kind === KINDS.uint32) return reader.wholes(new Uint32Array(length));
  if (kind === KINDS.whole)
    return reader.wholes(new Float64Array(length)).map((value) => (value === 0 ? Number.NaN : value - 1));
  if (kind !== KINDS.double) throw new RangeError(`A column has kind ${kind}, which is unknown`);
  const values = new Float64Array(length);
  new Uint8Array(values.buffer).set(reader.bytes(values.byteLength));
  return values;
}
