/** Signed HTTP requests to the app. */
import { signatureHeaders } from './signature-headers.ts';
import type { Arrival } from '../people/control-types.ts';
import { ACKNOWLEDGE_WITHIN_MS, millisecondsSince, type Envelope, type Outcome, type Transport } from './gateway.ts';

export interface SignedRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** The connection is cut when it is aborted. */
  signal?: AbortSignal;
}

/** Sends a request and reads the whole answer. */
export type PostRequest = (request: SignedRequest) => Promise<{ status: number; text: string }>;

export class HttpTransport implements Transport {
  readonly name = 'http';
  readonly #signingSecret: string;
  readonly #post: PostRequest;
  #urls: readonly string[] = [];
  #turn = 0;

  constructor(signingSecret: string, post: PostRequest = postWithFetch) {
    this.#signingSecret = signingSecret;
    this.#post = post;
  }

  /** Sets the addresses of the app's replicas: `http://127.0.0.1:3000/slack/events`. They take turns. */
  setUrls(urls: readonly string[]): void {
    this.#urls = urls;
  }

  connections(): number {
    return this.#urls.length;
  }

  send(envelope: Envelope): Promise<Outcome> {
    return this.#sendTo(this.#urls[this.#turn++ % this.#urls.length], envelope);
  }

  sendersOf(envelope: Envelope, arrivals: readonly Arrival[]): (() => Promise<Outcome>)[] {
    const turn = this.#turn++;
    return arrivals.map(({ cut, cutAfterMs }, index) => async () => {
      const signal = cut === 'before' ? AbortSignal.timeout(cutAfterMs) : undefined;
      const outcome = await this.#sendTo(this.#urls[(turn + index) % this.#urls.length], envelope, signal);
      return cut === 'lost' ? { error: 'dispatch_failed', durationMs: outcome.durationMs } : outcome;
    });
  }

  async #sendTo(url: string | undefined, envelope: Envelope, signal?: AbortSignal): Promise<Outcome> {
    if (url === undefined) return { error: 'dispatch_failed', durationMs: 0 };
    const { body, contentType } = encode(envelope);
    const startMs = performance.now();
    try {
      const headers = {
        'content-type': contentType,
        ...signatureHeaders(this.#signingSecret, body),
        ...retryHeaders(envelope),
      };
      const { status, text } = await this.#post({ url, headers, body, ...(signal ? { signal } : {}) });
      const durationMs = millisecondsSince(startMs);
      return status === 200 ? { response: decode(text), durationMs } : { error: 'http_error', durationMs };
    } catch (error) {
      const isTimeout = error instanceof Error && error.name === 'TimeoutError';
      return { error: isTimeout ? 'operation_timeout' : 'dispatch_failed', durationMs: millisecondsSince(startMs) };
    }
  }
}

async function postWithFetch({ url, headers, body, signal: cut }: SignedRequest) {
  const limit = AbortSignal.timeout(ACKNOWLEDGE_WITHIN_MS);
  const signal = cut ? AbortSignal.any([cut, limit]) : limit;
  const response = await fetch(url, { method: 'POST', headers, body, signal });
  return { status: response.status, text: await response.text() };
}

function encode({ type, body }: Envelope): { body: string; contentType: string } {
  if (type === 'events_api') return { body: JSON.stringify(body), contentType: 'application/json' };
  const contentType = 'application/x-www-form-urlencoded';
  if (type === 'interactive') {
    return { body: new URLSearchParams({ payload: JSON.stringify(body) }).toString(), contentType };
  }
  const fields = Object.fromEntries(Object.entries(body).map(([key, value]) => [key, String(value)]));
  return { body: new URLSearchParams(fields).toString(), contentType };
}

function retryHeaders({ type, attempt }: Envelope): Record<string, string> {
  if (type !== 'events_api' || attempt === 0) return {};
  return { 'x-slack-retry-num': String(attempt), 'x-slack-retry-reason': 'http_timeout' };
}

function decode(text: string): unknown {
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return { text };
  }
}
