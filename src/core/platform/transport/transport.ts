import type { Dispatcher } from 'undici';
import { dropLateRequests } from '../../base/time/deadline.ts';
import { withoutTrailing } from '../../base/text/trailing.ts';
import type { RawAnswer } from './answer.ts';
import type { BodyReader } from './body-reader.ts';
import { BudgetExceededError, type ByteHold } from '../../base/work-queue.ts';
import type { Method } from '../arguments.ts';
import { readConnectionFault } from '../../http/connection-fault.ts';
import type { Network } from '../../http/network.ts';

const CONNECTIONS_PER_ORIGIN = 12;

/** The largest answer seen, a page of revisions, is a fifth of this. */
const MAX_TEXT_BYTES = 8 * 1024 * 1024;

export interface Outgoing {
  method: Method;
  host: 'base' | 'app';
  pathAndQuery: string;
  body: string | undefined;
  /** Parses a successful answer as it arrives; `text` then stays empty. */
  reader?: BodyReader | undefined;
  /** Counts the bytes of the answer. The caller closes it once the answer is judged. */
  hold: ByteHold;
  signal: AbortSignal;
}

/** Internal: `runAttempt` turns it into a PlatformError. */
export class TransportFailure extends Error {
  readonly kind: 'network' | 'cut_body' | 'endless_body' | 'overloaded';
  readonly status: number | undefined;
  readonly notSent: boolean;
  /** What the operator can do, without a full stop. */
  readonly advice: string | undefined;

  constructor(
    kind: TransportFailure['kind'],
    detail: string,
    { status, notSent = false, advice }: { status?: number; notSent?: boolean; advice?: string | undefined } = {},
  ) {
    super(detail);
    this.kind = kind;
    this.status = status;
    this.notSent = notSent;
    this.advice = advice;
  }
}

export interface Transport {
  /** Throws TransportFailure, or the error of the signal. */
  exchange(outgoing: Outgoing): Promise<RawAnswer>;
  close(): Promise<void>;
}

export interface TransportSettings {
  baseUrl: string;
  appUrl: string;
  apiKey: string;
  connectTimeoutMs: number;
  network: Network;
}

/** Keeps connections to both addresses alive: twelve to each origin, with one request at a time on each. */
export function createTransport(settings: TransportSettings): Transport {
  const { baseUrl, appUrl, apiKey, connectTimeoutMs, network } = settings;
  // The signal of each attempt is the only time limit: undici's own timers are coarse and would fire in addition.
  const agent = network.createAgent({
    connections: CONNECTIONS_PER_ORIGIN,
    pipelining: 1,
    headersTimeout: 0,
    bodyTimeout: 0,
    connectTimeoutMs,
  });
  const dispatcher = agent.compose(dropLateRequests);
  const targets = { base: readAddress(baseUrl), app: readAddress(appUrl) };
  const headers = { authorization: `Bearer ${apiKey}`, accept: 'application/json' };

  return {
    exchange: async ({ method, host, pathAndQuery, body, reader, hold, signal }) => {
      const { origin, prefix } = targets[host];
      const response = await send(dispatcher, {
        method,
        origin,
        path: prefix + pathAndQuery,
        headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
        body: body ?? null,
        signal,
      });
      const { statusCode: status } = response;
      const isRead = reader !== undefined && status >= 200 && status <= 299;
      const answer = {
        status,
        retryAfter: headerOf(response, 'retry-after'),
        requestId: headerOf(response, 'x-request-id'),
      };
      if (!isRead) return { ...answer, text: await readText(response, { signal, hold, maxBytes: MAX_TEXT_BYTES }) };
      await eachChunk(response, { signal, hold, maxBytes: reader.maxBytes }, (chunk) => reader.write(chunk));
      return { ...answer, text: '', read: await reader.end() };
    },
    close: () => agent.close(),
  };
}

/** The prefix has no trailing slash. */
function readAddress(address: string): { origin: string; prefix: string } {
  const { origin, pathname } = new URL(address);
  return { origin, prefix: withoutTrailing(pathname, '/') };
}

async function send(dispatcher: Dispatcher, options: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData> {
  try {
    return await dispatcher.request(options);
  } catch (error) {
    if (options.signal instanceof AbortSignal && options.signal.aborted) throw error;
    const { isNotSent: notSent, advice } = readConnectionFault(error);
    throw new TransportFailure('network', describe(error), { notSent, advice });
  }
}

interface Bounds {
  signal: AbortSignal;
  hold: ByteHold;
  maxBytes: number;
}

async function readText(response: Dispatcher.ResponseData, bounds: Bounds): Promise<string> {
  const chunks: Buffer[] = [];
  const isWhole = await eachChunk(response, bounds, (chunk) => chunks.push(chunk) > 0);
  return isWhole ? new TextDecoder().decode(Buffer.concat(chunks)) : '';
}

/** @param take returns whether to go further @returns `false` if a refusal broke off: its Retry-After counts more */
async function eachChunk(
  { body, statusCode: status }: Dispatcher.ResponseData,
  { signal, hold, maxBytes }: Bounds,
  take: (chunk: Buffer) => boolean | Promise<boolean>,
): Promise<boolean> {
  let size = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) {
        throw new TransportFailure('endless_body', `the body passed ${maxBytes} bytes`, { status });
      }
      await hold.take(chunk.length);
      // Leaving the loop destroys the body, and the connection with it.
      if (!(await take(chunk))) return true;
    }
    return true;
  } catch (error) {
    if (signal.aborted) throw error;
    if (status < 200 || status > 299) return false;
    if (error instanceof TransportFailure) throw error;
    if (error instanceof BudgetExceededError)
      throw new TransportFailure('overloaded', `after ${size} bytes: too much is read at once`, { status });
    throw new TransportFailure('cut_body', `after ${size} bytes: ${describe(error)}`, { status });
  }
}

function headerOf({ headers }: Dispatcher.ResponseData, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** Several addresses of one name fail as an AggregateError, whose own message is empty. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown failure';
  return [codeOf(error), error.message].filter(Boolean).join(' ') || error.name;
}
