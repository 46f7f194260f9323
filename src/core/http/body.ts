import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { HttpRefusal } from './refusal.ts';

export interface BodyReader {
  /** @throws HttpRefusal 413 past the limit, 503 if newer requests needed the memory, 400 if the caller went away */
  read(request: Readable & Partial<Pick<IncomingMessage, 'headers'>>): Promise<Buffer>;
}

const tooLarge = () => new HttpRefusal(413, 'The body is too large.');
const brokeOff = () => new HttpRefusal(400, 'The request broke off.');

interface Pending {
  bytes: number;
  drop: () => void;
}

/**
 * Each body has at most `maxBytes`, and all bodies still arriving have at most `maxPendingBytes` together. Past the
 * second limit the oldest one is dropped, so that bodies which never end cannot keep a new one out.
 *
 * @example const bodies = createBodyReader({ maxBytes: 1_048_576, maxPendingBytes: 16_777_216 });
 */
export function createBodyReader(limits: { maxBytes: number; maxPendingBytes: number }): BodyReader {
  const pending = new Set<Pending>();
  let pendingBytes = 0;
  const release = (one: Pending) => {
    if (pending.delete(one)) pendingBytes -= one.bytes;
  };
  const hold = (one: Pending, bytes: number) => {
    if (!pending.has(one)) return;
    one.bytes += bytes;
    pendingBytes += bytes;
    for (const oldest of pending) {
      if (pendingBytes <= limits.maxPendingBytes) return;
      release(oldest);
      oldest.drop();
    }
  };
  return {
    read: (request) =>
      new Promise((resolve, reject) => {
        const chunks: Buffer[] = [];
        const fail = (refusal: HttpRefusal) => {
          release(one);
          chunks.length = 0;
          request.removeAllListeners('data');
          reject(refusal);
        };
        const one: Pending = { bytes: 0, drop: () => fail(new HttpRefusal(503, 'Too many requests at once.')) };
        pending.add(one);
        if (Number(request.headers?.['content-length'] ?? 0) > limits.maxBytes) return fail(tooLarge());
        // No later event of the request reports that the caller went away before.
        if (request.destroyed) return fail(brokeOff());
        request.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          hold(one, chunk.length);
          if (one.bytes > limits.maxBytes) fail(tooLarge());
        });
        request.once('end', () => {
          release(one);
          resolve(Buffer.concat(chunks));
        });
        request.once('close', () => {
          if (pending.has(one)) fail(brokeOff());
        });
      }),
  };
}
