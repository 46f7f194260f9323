import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { personDayCredits, plainPersonDayCredits } from '../../../src/core/platform/endpoints/analytics-rows.ts';
import { createJsonReader } from '../../../src/core/platform/transport/body-reader.ts';
import { createStreamReader, type OldBody, readWhole } from '../../support/platform/old-body-readers.ts';
import { propertyRuns } from '../../support/property-runs.ts';

const PATH = '$.data.*.by_user.*';
const item = z.object({ id: z.string(), amount: z.number() });

/** Each is a text of JSON: what `JSON.stringify` never writes is here too. */
const scalar = fc.oneof(
  fc.constantFrom('0', '-0', '1.5e3', '1E400', '9007199254740993', 'true', 'false', 'null', '""'),
  fc.constantFrom('"\\ud800"', '"\\u0000\\"\\\\\\/"', '"}]"', '"{["', '"\\\\"', '"é€😀"', '"a,b:c"'),
  fc.constantFrom('01', '1.', '-', 'tru', 'nul', '"\\x"', '"\t"', 'undefined'),
  fc.string({ unit: 'grapheme' }).map((text) => JSON.stringify(text)),
);
const validScalar = scalar.filter((text) => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
});
const blank = fc.constantFrom('', '', '', ' ', '\n\t', '\r\n');
const name = fc.oneof(
  fc
    .constantFrom('data', 'by_user', 'id', 'amount', '__proto__', 'constructor', '*', '0', '')
    .map((text) => `"${text}"`),
  fc.constantFrom('"d\\u0061ta"', '"by\\u005fuser"', '"\\u0069d"'),
);
const listOf = (value: fc.Arbitrary<string>, maxLength = 4) =>
  fc
    .tuple(fc.array(value, { maxLength }), blank)
    .map(([values, gap]) => `[${gap}${values.join(`${gap},${gap}`)}${gap}]`);
const objectOf = (members: fc.Arbitrary<string>, maxLength = 4) =>
  fc.tuple(fc.array(members, { maxLength }), blank).map(([all, gap]) => `{${gap}${all.join(`,${gap}`)}${gap}}`);
const member = (names: fc.Arbitrary<string>, value: fc.Arbitrary<string>) =>
  fc.tuple(names, blank, value).map(([key, gap, text]) => `${key}${gap}:${gap}${text}`);

const { anything } = fc.letrec<{ anything: string }>((tie) => ({
  anything: fc.oneof(
    { maxDepth: 4 },
    { weight: 3, arbitrary: validScalar },
    { weight: 1, arbitrary: listOf(tie('anything')) },
    { weight: 1, arbitrary: objectOf(member(name, tie('anything'))) },
  ),
}));
const rightItem = fc
  .tuple(
    validScalar.filter((text) => text.startsWith('"')),
    fc.integer(),
    anything,
  )
  .map(([id, amount, more]) => `{"id":${id},"amount":${amount},"more":${more}}`);
const someItem = fc.oneof(
  { weight: 30, arbitrary: rightItem },
  { weight: 1, arbitrary: anything },
  { weight: 1, arbitrary: scalar },
);
const people = fc.oneof(
  { weight: 6, arbitrary: listOf(someItem, 8) },
  { weight: 1, arbitrary: objectOf(member(name, someItem)) },
  { weight: 1, arbitrary: anything },
);
const day = fc.oneof(
  {
    weight: 8,
    arbitrary: objectOf(
      fc.oneof(member(fc.constantFrom('"by_user"', '"by\\u005fuser"'), people), member(name, anything)),
    ),
  },
  { weight: 1, arbitrary: anything },
);
const days = fc.oneof(
  { weight: 6, arbitrary: listOf(day) },
  { weight: 1, arbitrary: objectOf(member(name, day)) },
  { weight: 1, arbitrary: anything },
);
const body = fc.oneof(
  {
    weight: 20,
    arbitrary: objectOf(fc.oneof(member(fc.constantFrom('"data"', '"d\\u0061ta"'), days), member(name, anything))),
  },
  { weight: 1, arbitrary: anything },
  { weight: 1, arbitrary: fc.constantFrom('', ' \n ', '<html>Sign in</html>', 'upstream timed out') },
);

/** What may happen to bytes on their way. */
const harm = fc.oneof(
  { weight: 4, arbitrary: fc.constant((bytes: Buffer) => bytes) },
  { weight: 1, arbitrary: fc.nat().map((at) => (bytes: Buffer) => bytes.subarray(0, at % (bytes.length + 1))) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.nat(), fc.nat(2), fc.constantFrom(...Buffer.from('"\\{}[],:0-et \n\u0000\u001fa'), 0x80, 0xc3, 0xff))
      .map(([place, removed, byte]) => (bytes: Buffer) => {
        const at = place % (bytes.length + 1);
        return Buffer.concat([bytes.subarray(0, at), Buffer.of(byte), bytes.subarray(at + removed)]);
      }),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('\u{feff}', ' ')
      .map((head) => (bytes: Buffer) => Buffer.concat([Buffer.from(head), bytes])),
  },
);

function* piecesOf(bytes: Uint8Array, cuts: readonly number[]): Generator<Uint8Array> {
  const ends = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].toSorted((a, b) => a - b);
  let from = 0;
  for (const to of ends) {
    if (to > from) yield bytes.subarray(from, to);
    from = to;
  }
}

async function readNow(bytes: Uint8Array, cuts: readonly number[]) {
  const reader = createJsonReader(PATH, item);
  for (const piece of piecesOf(bytes, cuts)) if (!(await reader.write(piece))) break;
  return reader.end();
}

/** It refused a body for one wrong byte in a name, so it is given the text that the others see. */
function readTokens(bytes: Buffer, cuts: readonly number[]): OldBody {
  const reader = createStreamReader(PATH, item);
  for (const piece of piecesOf(Buffer.from(bytes.toString()), cuts)) if (!reader.write(piece)) break;
  return reader.end();
}

/**
 * Where both old readers differ, a wrong item counts although a later member of the same name replaces it, and otherwise
 * `JSON.parse` is right: the token parser took any text after the end.
 */
function allowed(tokens: OldBody, whole: OldBody): OldBody[] {
  if (tokens.fault?.code !== 'wrong_shape') return [whole];
  // Of a number or a word that goes on as none, the token parser took the beginning for an item.
  const isWord = /received (number|boolean|null)$/.test(tokens.fault.detail);
  return isWord && whole.fault?.code === 'cut_body' ? [tokens, whole] : [tokens];
}

const comparable = ({ value, fault }: { value?: unknown; fault?: { code: string; detail: string } | undefined }) =>
  fault ? { code: fault.code, detail: fault.code === 'wrong_shape' ? fault.detail : '' } : { value };

test('a body is read as by the readers before, however it is written, harmed and cut', async () => {
  const cuts = fc.array(fc.nat(), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(body, harm, cuts, cuts, async (text, harmed, some, others) => {
      const bytes = harmed(Buffer.from(text));
      const before = allowed(readTokens(bytes, some), readWhole(PATH, item, bytes)).map(comparable);
      const now = comparable(await readNow(bytes, others));
      expect(before).toContainEqual(now);
      expect(before.map((one) => JSON.stringify(one))).toContain(JSON.stringify(now));
    }),
    { numRuns: propertyRuns(100_000) },
  );
});

test('credits of a person are the same with and without the schema', () => {
  const text = fc.oneof(fc.string(), fc.constantFrom('', 'x'.repeat(500), 'x'.repeat(501)));
  const value = fc.oneof(
    { weight: 4, arbitrary: text },
    { weight: 4, arbitrary: fc.oneof(fc.integer(), fc.double()) },
    { weight: 1, arbitrary: fc.constantFrom(null, undefined, true, []) },
  );
  const row = fc.record(
    {
      user_id: fc.oneof({ weight: 4, arbitrary: text }, { weight: 1, arbitrary: value }),
      user_email: fc.oneof(
        { weight: 4, arbitrary: text },
        { weight: 1, arbitrary: fc.constant(null) },
        { weight: 1, arbitrary: value },
      ),
      billable_tokens: fc.oneof({ weight: 4, arbitrary: fc.integer() }, { weight: 1, arbitrary: value }),
      by_model: value,
    },
    { requiredKeys: [] },
  );
  let plain = 0;
  fc.assert(
    fc.property(fc.oneof({ weight: 8, arbitrary: row }, { weight: 1, arbitrary: value }), (one) => {
      const read = plainPersonDayCredits(one);
      if (read === undefined) return;
      plain += 1;
      expect(personDayCredits.safeParse(one)).toEqual({ success: true, data: read });
    }),
    { numRuns: propertyRuns(20_000) },
  );
  expect(plain).toBeGreaterThan(0);
});
