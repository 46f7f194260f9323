import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type BodyReader, createChangeReader } from '../../../src/core/platform/transport/body-reader.ts';

/** Keeps what reaches the reader behind it. */
function createKeepingReader() {
  const chunks: Uint8Array[] = [];
  const reader: BodyReader = {
    maxBytes: 1_000,
    write: (chunk) => {
      chunks.push(chunk);
      return Promise.resolve(true);
    },
    end: () => Promise.resolve({ value: Buffer.concat(chunks).toString('hex') }),
  };
  return { reader, chunks };
}

async function readBody(body: Uint8Array, cuts: readonly number[], seen?: { digest: string; bytes: number }) {
  const { reader, chunks } = createKeepingReader();
  let ended = { digest: '', bytes: 0 };
  const changes = createChangeReader(reader, seen, (what) => (ended = what));
  const ends = [...cuts.map((cut) => cut % (body.length + 1)), body.length].toSorted((a, b) => a - b);
  let from = 0;
  for (const to of ends) {
    if (to > from) await changes.write(body.subarray(from, to));
    from = to;
  }
  return { read: await changes.end(), body: ended, written: chunks.length };
}

const bytes = fc.uint8Array({ minLength: 1, maxLength: 40 });
const cuts = fc.array(fc.nat(40), { maxLength: 5 });

test('a body reaches its reader whole and in order, whatever was seen before', async () => {
  await fc.assert(
    fc.asyncProperty(bytes, bytes, cuts, async (body, earlier, places) => {
      fc.pre(!Buffer.from(body).equals(earlier));
      const seen = await readBody(earlier, []);
      const hex = Buffer.from(body).toString('hex');
      expect((await readBody(body, places)).read).toEqual({ value: hex });
      expect((await readBody(body, places, seen.body)).read).toEqual({ value: hex });
    }),
  );
});

test('a body with the bytes of an earlier one reaches no reader, however both are cut', async () => {
  await fc.assert(
    fc.asyncProperty(bytes, cuts, cuts, async (body, places, others) => {
      const seen = await readBody(body, places);
      expect(await readBody(body, others, seen.body)).toEqual({
        read: { value: undefined },
        body: seen.body,
        written: 0,
      });
    }),
  );
});
