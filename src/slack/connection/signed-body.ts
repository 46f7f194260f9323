import type { IncomingMessage } from 'node:http';
import { HttpRefusal } from '../../http/refusal.ts';
import { judgeHeaders, type BodyFormat } from './http-admission.ts';
import type { SignatureCheck } from './signature.ts';

export interface SignedBodyDeps {
  isSigned: SignatureCheck;
  /** Unix time. */
  nowMs: () => number;
}

/**
 * Reads a body that Slack signed at most five minutes ago, or at most five minutes ahead.
 *
 * @throws HttpRefusal 401 for other senders and times, 413 and 415 before the body is read
 */
export async function readSignedBody(
  { isSigned, nowMs }: SignedBodyDeps,
  request: IncomingMessage,
  readBody: () => Promise<Buffer>,
): Promise<{ format: BodyFormat; text: string }> {
  const admission = judgeHeaders(request.headers, nowMs());
  if (admission.kind === 'refused') throw new HttpRefusal(admission.status, admission.reason);
  const body = await readBody();
  if (!isSigned({ ...admission, body })) throw new HttpRefusal(401, 'The signature is not Slack’s.');
  return { format: admission.format, text: body.toString() };
}
