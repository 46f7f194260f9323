import type { z } from 'zod';
import type { BodyReader } from './body-reader.ts';
import type { PlatformErrorCode } from '../errors.ts';
import type { Method } from './retry.ts';

/** What every method of the client accepts as its last argument. */
export interface CallOptions {
  /** Gives up: a waiting or running call fails with `cancelled`. */
  signal?: AbortSignal | undefined;
}

/** One operation of the API document, ready to be sent. */
export interface Call<T> {
  method: Method;
  /** Which of the two addresses serves it. */
  host: 'base' | 'app';
  /** Path template; `{names}` are filled from `pathValues`. */
  path: string;
  pathValues?: Record<string, string>;
  query?: Record<string, string | number | undefined>;
  body?: unknown;
  /** What a 2xx answer must look like. */
  schema: z.ZodType<T>;
  /** Its answers hold secrets: no error quotes them. */
  holdsSecrets?: boolean;
  /** Takes in a 2xx answer that is too large to be read at once; a new one for each attempt. */
  reader?: () => BodyReader;
}

/** Sends a call, repeats it where that is safe, and returns its checked answer. Throws PlatformError, nothing else. */
export type Send = <T>(call: Call<T>, options?: CallOptions) => Promise<T>;

/** One HTTP attempt, for the log and the metrics. Never holds values of a path, a query or a body. */
export interface AttemptEvent {
  method: Method;
  path: string;
  /** 1 for the first. */
  attempt: number;
  durationMs: number;
  /** Absent if no answer came. */
  status?: number | undefined;
  /** Absent if the attempt succeeded. */
  code?: PlatformErrorCode | undefined;
  requestId?: string | undefined;
}
