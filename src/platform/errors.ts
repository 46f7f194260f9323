/** Every way a call to the platform can fail. Closed: code that handles errors switches over these and nothing else. */
export const PLATFORM_ERROR_CODES = [
  /** 401: the API key is missing, wrong or withdrawn. */
  'unauthorized',
  /** 403: the key's owner lacks the role (API document: analytics need Manager or Owner). */
  'forbidden',
  /** 404: no such session, computer or path. */
  'not_found',
  /** 400 or 422: the platform refused what was sent. */
  'invalid_request',
  /** 409: the platform says that the state does not allow it. */
  'conflict',
  /** 429: too many requests; `retryAfterMs` says when to come back, if the platform said so. */
  'rate_limited',
  /** 5xx. */
  'server_error',
  /** No answer in time. */
  'timeout',
  /** The connection was refused or broke before the answer began. */
  'network',
  /** The answer is not JSON: a proxy's or login page, most often. */
  'not_json',
  /** A success without a body. */
  'empty_body',
  /** The body ended too early, or never would have ended. */
  'cut_body',
  /** All answers under way together were too large to hold; nothing of this one was judged. */
  'overloaded',
  /** JSON, but not what the API document promises. */
  'wrong_shape',
  /** The pages of a listing do not come to an end. */
  'pagination_loop',
  /** Refused here, before anything was sent. */
  'invalid_argument',
  /** A status that the API document does not know: a redirect, 402, 418. */
  'unexpected_status',
  /** The caller gave up. */
  'cancelled',
] as const;

export type PlatformErrorCode = (typeof PLATFORM_ERROR_CODES)[number];

export interface PlatformErrorFields {
  code: PlatformErrorCode;
  method: string;
  /** Path template such as `/api/v0/computers/{computerId}`: never holds values. */
  path: string;
  /** One line for the log. Never shown to a person: it may quote the platform. */
  detail: string;
  status?: number | undefined;
  requestId?: string | undefined;
  retryAfterMs?: number | undefined;
  /** A PUT or POST may have taken effect although no usable answer came back. Always `false` for GET. */
  outcomeUnknown?: boolean | undefined;
}

/**
 * A failed call to the platform. It keeps no `cause` and no headers, and its texts have been scrubbed, so it can be logged
 * whole without giving the API key away.
 *
 * @example
 * try {
 *   await client.analytics.tokens({ startDate: day, endDate: day });
 * } catch (error) {
 *   if (isPlatformError(error) && error.code === 'rate_limited') return comeBackIn(error.retryAfterMs);
 *   throw error;
 * }
 */
export class PlatformError extends Error {
  readonly code: PlatformErrorCode;
  readonly method: string;
  readonly path: string;
  readonly detail: string;
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  readonly retryAfterMs: number | undefined;
  readonly outcomeUnknown: boolean;

  constructor(fields: PlatformErrorFields) {
    super(summarize(fields));
    this.name = 'PlatformError';
    this.code = fields.code;
    this.method = fields.method;
    this.path = fields.path;
    this.detail = fields.detail;
    this.status = fields.status;
    this.requestId = fields.requestId;
    this.retryAfterMs = fields.retryAfterMs;
    this.outcomeUnknown = fields.outcomeUnknown ?? false;
  }

  toJSON(): PlatformErrorFields & { name: string; message: string } {
    const { name, message, code, method, path, detail, status, requestId, retryAfterMs, outcomeUnknown } = this;
    return { name, message, code, method, path, detail, status, requestId, retryAfterMs, outcomeUnknown };
  }
}

/** Whether `error` came from the platform client; narrows it. Pass a code to ask for that one only. */
export function isPlatformError(error: unknown, code?: PlatformErrorCode): error is PlatformError {
  return error instanceof PlatformError && (code === undefined || error.code === code);
}

function summarize({ code, method, path, status, requestId }: PlatformErrorFields): string {
  const facts = [code, status && `status ${status}`, requestId && `request ${requestId}`].filter(Boolean).join(', ');
  return `${method} ${path} failed: ${facts}`;
}

/** What went wrong with one answer. */
export interface AnswerFault {
  code: PlatformErrorCode;
  detail: string;
  requestId?: string | undefined;
}
