import { request } from 'undici';
import { readBounded } from './bounded-body.ts';
import type { InWorkspaceNames, SlackClients } from '../client/clients.ts';

const REPLY_TIMEOUT_MS = 10_000;
/** Slack answers with one word, or a short JSON error. */
const MAX_ANSWER_BYTES = 16 * 1024;

export class ReplyError extends Error {
  override readonly name = 'ReplyError';
  readonly code: string;
  constructor(code: string) {
    super(`Slack rejected the reply: ${code}`);
    this.code = code;
  }
}

export type PostToResponseUrl = (responseUrl: string, body: object) => Promise<void>;

/** The returned function throws ReplyError if Slack refuses, and ForeignAddressError if the host is not Slack’s. */
export function createResponsePoster(
  { hosts, agent }: Pick<SlackClients, 'hosts' | 'agent'>,
  inWorkspaceNames: InWorkspaceNames,
): PostToResponseUrl {
  return async (responseUrl, body) => {
    // It follows no redirect, which might lead elsewhere.
    const { statusCode, body: answer } = await request(hosts.checkResponseUrl(responseUrl), {
      method: 'POST',
      dispatcher: agent,
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: JSON.stringify(inWorkspaceNames(body)),
      signal: AbortSignal.timeout(REPLY_TIMEOUT_MS),
    });
    const text = (await readBounded(answer, MAX_ANSWER_BYTES))?.toString() ?? '';
    const refusal = /"error"\s{0,3}:\s{0,3}"([^"]{1,100})"/.exec(text)?.[1];
    const isOk = statusCode >= 200 && statusCode <= 299;
    if (!isOk || refusal) throw new ReplyError(refusal ?? (text.slice(0, 100) || String(statusCode)));
  };
}
