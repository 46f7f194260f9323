import { z } from 'zod';
import type { AnswerFault, PlatformErrorCode } from '../errors.ts';
import { describeIssues } from '../arguments.ts';
import { showStatement } from '../redaction/shown-statement.ts';
import type { Scrub } from '../../base/privacy/scrub.ts';
import { type ReadBody, parseBody } from './body-reader.ts';

const MAX_DETAIL_LENGTH = 500;

const MAX_REQUEST_ID_LENGTH = 200;

export type ReadAnswer<T> = { ok: true; value: T } | { ok: false; fault: AnswerFault };

const CODE_OF_STATUS: Readonly<Record<number, PlatformErrorCode>> = {
  400: 'invalid_request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  422: 'invalid_request',
  429: 'rate_limited',
};

/** API document: "Analytics error body". The errors of other endpoints, which it does not show, are parsed alike. */
const errorBody = z.looseObject({
  title: z.string().optional(),
  detail: z.string().optional(),
  requestId: z.string().optional(),
});

/**
 * Judges the status of an answer, whether it is JSON, and whether the JSON matches the API document. Pure.
 *
 * @param holdsSecrets nothing of the answer is quoted
 * @param scrub removes secrets from a text; applied before a text is cut, since half a secret would pass it
 */
export function readAnswer<T>(
  answer: RawAnswer,
  schema: z.ZodType<T>,
  scrub: Scrub,
  holdsSecrets = false,
): ReadAnswer<T> {
  const { fault, value } = checkAnswer(answer, schema);
  if (!fault) return { ok: true, value };
  if (holdsSecrets) return { ok: false, fault: withoutQuotes(fault, answer) };
  const requestId = shorten(scrub(fault.requestId ?? answer.requestId ?? ''), MAX_REQUEST_ID_LENGTH) || undefined;
  const statement = fault.statement === undefined ? undefined : showStatement(scrub(fault.statement));
  const detail = shorten(scrub(fault.detail), MAX_DETAIL_LENGTH);
  return { ok: false, fault: { ...fault, requestId, detail, statement } };
}

/** Faults of a schema name places and rules; other faults may quote anything. */
function withoutQuotes({ code, detail }: AnswerFault, { requestId = '' }: RawAnswer): AnswerFault {
  const isQuoted = code !== 'wrong_shape' && code !== 'empty_body' && code !== 'cut_body';
  return {
    code,
    requestId: /^[\w.:-]{1,100}$/.test(requestId) ? requestId : undefined,
    detail: isQuoted ? 'the answer is not quoted, because it may hold secrets' : shorten(detail, MAX_DETAIL_LENGTH),
  };
}

type CheckedAnswer<T> = { fault: AnswerFault; value?: undefined } | { fault?: undefined; value: T };

function checkAnswer<T>(answer: RawAnswer, schema: z.ZodType<T>): CheckedAnswer<T> {
  if (answer.status < 200 || answer.status > 299) return { fault: readErrorBody(answer) };
  const json = answer.read ?? parseBody(answer.text);
  if (json.fault) return json;
  const result = schema.safeParse(json.value);
  if (result.success) return { value: result.data };
  return { fault: { code: 'wrong_shape', detail: describeIssues(result.error, 'answer') } };
}

function readErrorBody({ status, text }: RawAnswer): AnswerFault {
  const code = CODE_OF_STATUS[status] ?? (status >= 500 ? 'server_error' : 'unexpected_status');
  const json = parseBody(text);
  const body = json.fault ? undefined : errorBody.safeParse(json.value);
  if (!body?.success) return { code, detail: text.trim() || 'no body' };
  const summary = [body.data.title, body.data.detail].filter(Boolean).join(': ');
  return { code, detail: summary || text, statement: body.data.detail, requestId: body.data.requestId };
}

function shorten(text: string, length: number): string {
  const oneLine = text.replaceAll(/\s+/g, ' ').trim();
  return oneLine.length > length ? `${oneLine.slice(0, length)}…` : oneLine;
}

export interface RawAnswer {
  status: number;
  retryAfter: string | undefined;
  requestId: string | undefined;
  /** Empty if a reader parsed the body. */
  text: string;
  read?: ReadBody | undefined;
}
