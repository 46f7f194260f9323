import {
  BLANK,
  CLOSE_LIST,
  CLOSE_OBJECT,
  CLOSING,
  COLON,
  COMMA,
  KINDS,
  OPENING,
  OPEN_LIST,
  QUOTE,
  SEPARATOR,
  createValueScanner,
} from './value-scanner.ts';

type Expected = 'value' | 'first value' | 'name' | 'first name' | 'colon' | 'comma';

type Members = Record<string, unknown> | unknown[];

export interface ListParser {
  write(piece: Uint8Array): void;
  /** Outside of the items, and in the one that is not complete yet. */
  tokens(): number;
  /** @returns undefined if the text breaks off, or is no JSON */
  end(): { value: unknown } | undefined;
}

const NO_BYTES = new Uint8Array();

/** Some programs write these bytes before a text. They mean nothing. */
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** @returns undefined, which is no value of JSON, for a text that is no JSON */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @param run items with commas between them */
function itemsBeforeFault(run: Uint8Array): unknown[] {
  const scanner = createValueScanner();
  const items: unknown[] = [];
  for (let at = 0; at < run.length;) {
    scanner.begin();
    const end = scanner.scan(run, at);
    const item = parsed(decoder.decode(run.subarray(at, end < 0 ? run.length : end)));
    if (item === undefined) return items;
    items.push(item);
    for (at = end < 0 ? run.length : end; KINDS[run[at] ?? 0] === BLANK || run[at] === COMMA;) at += 1;
  }
  return items;
}

/**
 * Parses a JSON text that arrives in pieces. Only the lists and objects on the path are read byte by byte. All items that
 * have arrived together, and each other value, are handed to `JSON.parse` once their ends are found.
 *
 * @param path of the items, such as `$.data.*.by_user.*`
 * @param replace called with each item, in the order of the text. In a list, its result takes the item's place.
 */
export function createListParser(path: string, replace: (item: unknown) => unknown): ListParser {
  const steps = path.split('.').slice(1);
  const scanner = createValueScanner();

  /** The lists and objects that are not closed yet; the first is the root. */
  const open: Members[] = [];
  let root: unknown;
  /** Of the member that is read, or was read last. */
  let name = '';
  let expected: Expected = 'value';
  /** What the scanner looks for the end of. */
  let scanned: 'name' | 'value' | undefined;
  let isBroken = false;
  let keptTokens = 0;
  let markBytes = 0;

  let bytes: Uint8Array = NO_BYTES;
  let at = 0;
  /** Where the scanned value begins, or continues, in this piece. */
  let start = 0;
  /** What has arrived of it with earlier pieces. */
  let earlier: Uint8Array[] = [];
  /** The complete items of this piece that are not parsed yet. The first may have begun in an earlier piece. */
  let run: { from: number; to: number } | undefined;

  /** Whether the next step of the path leads to the value that is read. */
  function isNext(): boolean {
    const members = open.at(-1);
    if (members === undefined) return true;
    const step = steps[open.length - 1];
    return step === '*' || (step === name && !Array.isArray(members));
  }

  function place(value: unknown): void {
    const members = open.at(-1);
    if (members === undefined) root = value;
    else if (Array.isArray(members)) members.push(value);
    else if (name === '__proto__')
      Object.defineProperty(members, name, { value, writable: true, enumerable: true, configurable: true });
    else members[name] = value;
    expected = 'comma';
  }

  function bytesOf(from: number, to: number): Uint8Array {
    const last = bytes.subarray(from, to);
    const whole = earlier.length > 0 ? Buffer.concat([...earlier, last]) : last;
    earlier = [];
    return whole;
  }

  function parseRun(): void {
    const list = open.at(-1);
    if (run === undefined || !Array.isArray(list)) return;
    const text = bytesOf(run.from, run.to);
    run = undefined;
    // Parsed together, items take a fraction of the time.
    const items = parsed(`[${decoder.decode(text)}]`);
    isBroken ||= items === undefined;
    for (const item of Array.isArray(items) ? items : itemsBeforeFault(text)) list.push(replace(item));
  }

  function endValue(): void {
    const members = open.at(-1);
    const isName = scanned === 'name';
    const isItem = !isName && open.length === steps.length && isNext();
    scanned = undefined;
    if (isItem && Array.isArray(members)) {
      run = { from: run?.from ?? start, to: at };
      expected = 'comma';
      return;
    }
    if (!isItem) keptTokens += scanner.tokens();
    const value = parsed(decoder.decode(bytesOf(start, at)));
    if (value === undefined) isBroken = true;
    else if (isName && typeof value === 'string') {
      name = value;
      expected = 'colon';
    } else {
      if (isItem) replace(value);
      place(value);
    }
  }

  function begin(what: 'name' | 'value'): void {
    scanned = what;
    start = at;
    scanner.begin();
  }

  function openMembers(members: Members): void {
    place(members);
    open.push(members);
    expected = Array.isArray(members) ? 'first value' : 'first name';
    keptTokens += 1;
    at += 1;
  }

  function close(byte: number): void {
    const members = open.at(-1);
    const isRight = byte === (Array.isArray(members) ? CLOSE_LIST : CLOSE_OBJECT);
    if (members === undefined || !isRight || !(expected === 'comma' || expected.startsWith('first'))) {
      isBroken = true;
      return;
    }
    parseRun();
    open.pop();
    expected = 'comma';
    keptTokens += 1;
    at += 1;
  }

  function separate(byte: number): void {
    if (byte === COLON && expected === 'colon') expected = 'value';
    else if (byte === COMMA && expected === 'comma' && open.length > 0)
      expected = Array.isArray(open.at(-1)) ? 'value' : 'name';
    else isBroken = true;
    at += 1;
  }

  function readByte(): void {
    const byte = bytes[at] ?? 0;
    const kind = KINDS[byte];
    const isBeforeRoot = open.length === 0 && root === undefined;
    if (kind === BLANK) at += 1;
    else if (isBeforeRoot && byte === BYTE_ORDER_MARK[markBytes]) {
      markBytes += 1;
      at += 1;
    } else if (kind === SEPARATOR) separate(byte);
    else if (kind === CLOSING) close(byte);
    else if (expected.endsWith('name') && byte === QUOTE) begin('name');
    else if (!expected.endsWith('value') || (open.length === 0 && !isBeforeRoot)) isBroken = true;
    else if (kind === OPENING && open.length < steps.length && isNext()) openMembers(byte === OPEN_LIST ? [] : {});
    else begin('value');
  }

  return {
    write: (piece) => {
      if (isBroken) return;
      bytes = piece;
      at = 0;
      start = 0;
      while (at < bytes.length && !isBroken) {
        if (scanned === undefined) {
          readByte();
          continue;
        }
        const end = scanner.scan(bytes, at);
        at = end < 0 ? bytes.length : end;
        if (end >= 0) endValue();
      }
      parseRun();
      if (isBroken) earlier = [];
      else if (scanned !== undefined) earlier.push(bytes.subarray(start));
    },
    tokens: () => keptTokens + (scanned === undefined ? 0 : scanner.tokens()),
    end: () => {
      bytes = NO_BYTES;
      at = 0;
      start = 0;
      if (scanned !== undefined && scanner.mayBeWhole()) endValue();
      return isBroken || scanned !== undefined || open.length > 0 || root === undefined ? undefined : { value: root };
    },
  };
}
