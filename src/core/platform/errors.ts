/** The list is closed: error handlers switch over these codes alone. */
export const PLATFORM_ERROR_CODES = [
  /** 401: the API key is missing, wrong or withdrawn. */
  'unauthorized',
  /** 403: the key's owner lacks the role (API document: analytics need Manager or Owner). */
  'forbidden',
  /** 404: no such session, computer or path. */
  'not_found',
  /** 404, 405 or a web page at every address that the operation has had: the platform no longer has it there. */
  'moved_away',
  /** 400 or 422: the platform refused the request. */
  'invalid_request',
  /** 409: the state does not allow the request. */
  'conflict',
  /** 429: too many requests; `askedMs` is the wait, if the platform named one. */
  'rate_limited',
  /** 5xx. */
  'server_error',
  'timeout',
  /** The connection was refused or broke before the answer began. */
  'network',
  /** The answer is not JSON: most often the page of a proxy or a login. */
  'not_json',
  /** A success without a body. */
  'empty_body',
  /** The body ended too early, or would never have ended. */
  'cut_body',
  /** All answers under way were too large to hold together. This answer was not judged. */
  'overloaded',
  /** JSON, but not what the API document promises. */
  'wrong_shape',
  'pagination_loop',
  /** The client refused it before anything was sent. */
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
  /** One line for the log. Never shown to people: it may quote the platform. */
  detail: string;
  /** The reason that the platform states for people, without secrets and e-mails; undefined if it states none. */
  statement?: string | undefined;
  status?: number | undefined;
  requestId?: string | undefined;
  askedMs?: number | undefined;
  /** The body passed its bound: a smaller request may succeed. */
  isTooLarge?: boolean | undefined;
  /** What the operator can do about a connection that failed, without a full stop. */
  advice?: string | undefined;
  /** A PUT or POST may have taken effect although no usable answer came back. Always `false` for GET. */
  outcomeUnknown?: boolean | undefined;
}

/**
 * Keeps no `cause` and no headers, and its texts are scrubbed, so that it can be logged in full without revealing the
 * API key.
 *
 * @example
 * try {
 * await client.analytics.tokens({ startDate: day, endDate: day });
 * } catch (error) {
 * if (isPlatformError(error) && error.code === 'rate_limited') return comeBackIn(error.askedMs);
 * throw error;
 * }
 */
export class PlatformError extends Error {
  readonly code: PlatformErrorCode;
  readonly method: string;
  readonly path: string;
  readonly detail: string;
  readonly statement: string | undefined;
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  readonly askedMs: number | undefined;
  readonly isTooLarge: boolean;
  readonly outcomeUnknown: boolean;
  readonly advice: string | undefined;

  constructor(fields: PlatformErrorFields) {
    super(summarize(fields));
    this.name = 'PlatformError';
    this.code = fields.code;
    this.method = fields.method;
    this.path = fields.path;
    this.detail = fields.detail;
    this.statement = fields.statement;
    this.status = fields.status;
    this.requestId = fields.requestId;
    this.askedMs = fields.askedMs;
    this.isTooLarge = fields.isTooLarge ?? false;
    this.outcomeUnknown = fields.outcomeUnknown ?? false;
    this.advice = fields.advice;
  }

  toJSON(): PlatformErrorFields & { name: string; message: string } {
    const { name, message, code, method, path, detail, advice, status, requestId, askedMs, outcomeUnknown } = this;
    return { name, message, code, method, path, detail, advice, status, requestId, askedMs, outcomeUnknown };
  }
}

/** Narrows `error`. Pass a code to accept only that one. */
export function isPlatformError(error: unknown, code?: PlatformErrorCode): error is PlatformError {
  return error instanceof PlatformError && (code === undefined || error.code === code);
}

function summarize({ code, method, path, status, requestId }: PlatformErrorFields): string {
  const facts = [code, status && `status ${status}`, requestId && `request ${requestId}`].filter(Boolean).join(', ');
  return `${method} ${path} failed: ${facts}`;
}

export interface AnswerFault {
  code: PlatformErrorCode;
  detail: string;
  statement?: string | undefined;
  requestId?: string | undefined;
}
