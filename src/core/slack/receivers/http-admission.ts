import { parseJson } from '../../base/text/parse-json.ts';
import type { IncomingHttpHeaders } from 'node:http';
import { parse as parseQuery } from 'node:querystring';
import { z } from 'zod';

export const MAX_BODY_BYTES = 1024 * 1024;

/** Slack's own advice: https://docs.slack.dev/authentication/verifying-requests-from-slack */
const MAX_AGE_SECONDS = 5 * 60;
const MAX_HEADER_LENGTH = 100;
/** Slack's deepest payloads (rich text in a view) have some fifteen levels. */
const MAX_DEPTH = 100;

export type BodyFormat = 'json' | 'form';

export type Admission =
  | { kind: 'admitted'; timestampSeconds: number; signature: string; format: BodyFormat }
  | { kind: 'refused'; status: 401 | 413 | 415; reason: string };

const refused = (status: 401 | 413 | 415, reason: string): Admission => ({ kind: 'refused', status, reason });

/** Runs before the body is read. @param nowMs Unix time */
export function judgeHeaders(headers: IncomingHttpHeaders, nowMs: number): Admission {
  const timestamp = single(headers['x-slack-request-timestamp']);
  if (!/^\d{1,12}$/.test(timestamp)) return refused(401, 'There is no timestamp of Slack’s.');
  const timestampSeconds = Number(timestamp);
  if (Math.abs(nowMs / 1000 - timestampSeconds) > MAX_AGE_SECONDS) return refused(401, 'The request is too old.');
  const signature = single(headers['x-slack-signature']);
  if (!/^v0=[0-9a-f]{64}$/.test(signature)) return refused(401, 'There is no signature of Slack’s.');
  if (Number(headers['content-length'] ?? 0) > MAX_BODY_BYTES) return refused(413, 'The body is too large.');
  const type = (single(headers['content-type']).split(';', 1)[0] ?? '').trim().toLowerCase();
  if (type === 'application/json') return { kind: 'admitted', timestampSeconds, signature, format: 'json' };
  if (type === 'application/x-www-form-urlencoded')
    return { kind: 'admitted', timestampSeconds, signature, format: 'form' };
  return refused(415, 'The body is of no type that Slack sends.');
}

function single(header: string | string[] | undefined): string {
  return typeof header === 'string' && header.length <= MAX_HEADER_LENGTH ? header : '';
}

export type SlackBody = Record<string, unknown>;
/** Its members are judged by kind, see `judgeIncoming`: a second check of each would delay all acknowledgements. */
const slackBody = z.custom<SlackBody>((body) => typeof body === 'object' && body !== null && !Array.isArray(body));

/**
 * Undefined for bodies that Slack would not send: no JSON, no object, too deep.
 *
 * @example readSlackBody('form', 'command=%2Fusage&text=7d') // { command: '/usage', text: '7d' }
 */
export function readSlackBody(format: BodyFormat, text: string): SlackBody | undefined {
  if (format === 'json') return readJson(text);
  const fields = { ...parseQuery(text) };
  if (typeof fields['payload'] === 'string') return readJson(fields['payload']);
  return slackBody.safeParse(fields).data;
}

const readJson = (text: string): SlackBody | undefined =>
  isTooDeep(text) ? undefined : slackBody.safeParse(parseJson(text)).data;

/** Checked before parsing, because later code walks the value recursively and would overflow the stack. */
function isTooDeep(json: string): boolean {
  let depth = 0;
  let isInText = false;
  for (let index = 0; index < json.length; index += 1) {
    const sign = json[index];
    if (isInText && sign === '\\') index += 1;
    else if (sign === '"') isInText = !isInText;
    else if (!isInText && (sign === '{' || sign === '[')) depth += 1;
    else if (!isInText && (sign === '}' || sign === ']')) depth -= 1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}
