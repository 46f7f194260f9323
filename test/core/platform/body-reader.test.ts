import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createJsonReader } from '../../../src/core/platform/transport/body-reader.ts';
import { HANG_UP, startScript } from './script-server.ts';
import { createTestClient, PERIOD } from './test-client.ts';

const item = z.object({ id: z.string(), amount: z.number() });
const read = async (bytes: Uint8Array, cuts: readonly number[]) => {
  const reader = createJsonReader('$.data.*.by_user.*', item);
  const ends = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].toSorted((a, b) => a - b);
  let from = 0;
  for (const to of ends) {
    if (to > from) await reader.write(bytes.subarray(from, to));
    from = to;
  }
  return reader.end();
};
const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

const day = fc.record({
  date: fc.string({ unit: 'grapheme' }),
  by_user: fc.array(
    fc.record({
      id: fc.string({ unit: 'grapheme' }),
      amount: fc.double({ noNaN: true, noDefaultInfinity: true }),
      by_model: fc.jsonValue(),
    }),
  ),
  other: fc.jsonValue(),
});

describe('an answer that is parsed while it arrives', () => {
  test('equals the result of JSON.parse, with each item reduced to its schema, however it is cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(day),
        fc.jsonValue(),
        fc.array(fc.nat(), { maxLength: 8 }),
        async (data, meta, cuts) => {
          const bytes = bytesOf({ data, meta });
          const whole = JSON.parse(new TextDecoder().decode(bytes));
          const expected = {
            ...whole,
            data: whole.data.map((row: { by_user: unknown[] }) => ({
              ...row,
              by_user: row.by_user.map((one) => item.parse(one)),
            })),
          };
          expect((await read(bytes, cuts)).value).toEqual(expected);
        },
      ),
    );
  });

  test('is incomplete if it ends early, at any position', async () => {
    const bytes = bytesOf({ data: [{ date: 'd', by_user: [{ id: 'ä', amount: 1 }] }], meta: {} });
    for (let length = 1; length < bytes.length; length += 1) {
      expect((await read(bytes.subarray(0, length), [])).fault?.code).toBe('cut_body');
    }
  });

  test('differs from a page of HTML, an empty body and items of another shape', async () => {
    expect((await read(new TextEncoder().encode('<html>Sign in</html>'), [3])).fault?.code).toBe('not_json');
    expect((await read(new TextEncoder().encode('  '), [])).fault?.code).toBe('empty_body');
    const { fault } = await read(bytesOf({ data: [{ by_user: [{ id: 'a', amount: '7' }] }] }), []);
    expect(fault).toMatchObject({ code: 'wrong_shape' });
    expect(fault?.detail).toContain('amount');
  });
});

describe('an answer with more than its list', () => {
  /** @returns after how many megabytes the reader stops */
  const wantsMb = async (head: string, piece: string) => {
    const reader = createJsonReader('$.data.*.by_user.*', item);
    const block = new TextEncoder().encode(piece.repeat(Math.ceil(65_536 / piece.length)));
    await reader.write(new TextEncoder().encode(head));
    for (let sent = block.length; sent < 9_000_000; sent += block.length) {
      if (!(await reader.write(block))) return { mb: sent / 1e6, fault: (await reader.end()).fault };
    }
    return undefined;
  };

  test.each([
    ['beside it', '{"data":[', '[[]],'],
    ['as deep as its items', '{"data":[{"other":[', '{"a":1},'],
    ['in one item', '{"data":[{"by_user":[{"id":"a","amount":1,"more":[', '[],'],
  ])('is refused after a few megabytes: %s', async (_where, head, piece) => {
    const seen = await wantsMb(head, piece);
    expect(seen?.mb).toBeLessThan(3);
    expect(seen?.fault).toMatchObject({ code: 'wrong_shape', detail: expect.stringContaining('too much beside') });
  });

  test('is read to its end if only the items are many', async () => {
    expect(await wantsMb('{"data":[{"by_user":[', '{"id":"a","amount":1},')).toBeUndefined();
  });

  test('is refused at its first item of another shape', async () => {
    expect((await wantsMb('{"data":[{"by_user":[', '{"id":"a"},'))?.mb).toBeLessThan(0.1);
  });
});

describe('the credits of a day with their people', () => {
  const row = {
    date: '2026-11-12',
    billable_tokens: 3,
    input_tokens: 1,
    output_tokens: 1,
    cache_read_tokens: 0,
    cache_write_tokens: 0,
    by_user: [{ user_id: 'u1', user_email: '', billable_tokens: 3, by_model: [{ anything: true }] }],
  };

  test('keep the known members of each person', async () => {
    const { address } = await startScript([{ json: { data: [row], meta: {} } }]);
    const { data } = await createTestClient(address).analytics.tokens(PERIOD);
    expect(data[0]?.by_user).toEqual([{ user_id: 'u1', user_email: null, billable_tokens: 3 }]);
  });

  test('are requested again if their answer breaks off', async () => {
    const answer = { json: { data: [row], meta: {} } };
    const { address } = await startScript([HANG_UP, { text: JSON.stringify(answer.json).slice(0, 90) }, answer]);
    const { data } = await createTestClient(address).analytics.tokens(PERIOD);
    expect(data).toHaveLength(1);
  });

  test('are never read as zero if an amount is missing', async () => {
    const wrong = { ...row, by_user: [{ user_id: 'u1', user_email: null }] };
    const { address } = await startScript([{ json: { data: [wrong], meta: {} } }]);
    const { data } = await createTestClient(address).analytics.tokens(PERIOD);
    expect(data[0]?.by_user).toEqual([{ user_id: 'u1', user_email: null, billable_tokens: null }]);
  });
});
