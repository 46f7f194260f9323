import type { z } from 'zod';
import type { BodyReader } from './body-reader.ts';
import type { PlatformErrorCode } from '../errors.ts';
import type { Method } from '../arguments.ts';

export interface CallOptions {
  /** The call fails with `cancelled`. */
  signal?: AbortSignal | undefined;
  /** After an attempt that may have taken effect, the caller looks at the platform before another one. */
  stopsWhenUnsure?: boolean;
}

export interface Call<T> {
  method: Method;
  host: 'base' | 'app';
  /** The `{names}` are filled from `pathValues`. */
  path: string;
  pathValues?: Record<string, string>;
  query?: Record<string, string | number | undefined>;
  body?: unknown;
  schema: z.ZodType<T>;
  /** Whether answers contain secrets: no error quotes them. */
  holdsSecrets?: boolean;
  /** Asks whether the platform has the operation: a refusal is an answer, and no fault of the platform or the key. */
  isTrial?: boolean | undefined;
  /** Creates the parser of a 2xx answer that is too large for one piece; a new one for each attempt. */
  reader?: () => BodyReader;
}

/** Retries a call if that is safe. Throws PlatformError, nothing else. */
export type Send = <T>(call: Call<T>, options?: CallOptions) => Promise<T>;

/** One HTTP attempt, for the log and the metrics. Never contains values of a path, a query or a body. */
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
  /** Whether it only asked whether the platform has the operation. */
  isTrial?: boolean | undefined;
}
