import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { createBodyReader } from '../../../src/core/http/body.ts';

/** A body that a test sends in pieces. */
const request = () => new PassThrough();

test('a whole body is returned unchanged', async () => {
  const body = request();
  const read = createBodyReader({ maxBytes: 10, maxPendingBytes: 10 }).read(body);
  body.write('ab');
  body.end('cd');
  expect((await read).toString()).toBe('abcd');
});

test('a body past its limit is refused at once', async () => {
  const body = request();
  const read = createBodyReader({ maxBytes: 3, maxPendingBytes: 10 }).read(body);
  body.write('abcd');
  await expect(read).rejects.toMatchObject({ status: 413 });
});

test('a request that breaks off is refused', async () => {
  const body = request();
  const read = createBodyReader({ maxBytes: 10, maxPendingBytes: 10 }).read(body);
  body.write('abcd');
  body.destroy();
  await expect(read).rejects.toMatchObject({ status: 400 });
});

test('if all bodies together need too much memory, the oldest one makes room for the newest', async () => {
  const bodies = createBodyReader({ maxBytes: 10, maxPendingBytes: 12 });
  const [first, second, third] = [request(), request(), request()];
  const reads = [first, second, third].map((body) => bodies.read(body));
  first.write('aaaaa');
  second.write('bbbbb');
  third.end('ccccc');
  await expect(reads[0]).rejects.toMatchObject({ status: 503 });
  expect(String(await reads[2])).toBe('ccccc');
  second.end('b');
  expect(String(await reads[1])).toBe('bbbbbb');
});

test('a request that broke off before it was read is refused', async () => {
  const body = request().destroy();
  await expect(createBodyReader({ maxBytes: 10, maxPendingBytes: 10 }).read(body)).rejects.toMatchObject({
    status: 400,
  });
});

test('a body whose announced length is past the limit is refused before it arrives', async () => {
  const body = Object.assign(request(), { headers: { 'content-length': '4' } });
  await expect(createBodyReader({ maxBytes: 3, maxPendingBytes: 10 }).read(body)).rejects.toMatchObject({
    status: 413,
  });
});
