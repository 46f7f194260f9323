import { createHash } from 'node:crypto';

/** Hashes owner and session, so that another person’s client cannot reach this session. */
export function sessionKey(owner: string, sessionId: string): string {
  return createHash('sha256')
    .update(JSON.stringify([owner, sessionId.toWellFormed()]))
    .digest('hex');
}
