import { createHash } from 'node:crypto';

/** A session of one owner. Whatever another person's client calls its own, it hashes to something else. */
export function sessionKey(owner: string, sessionId: string): string {
  return createHash('sha256')
    .update(JSON.stringify([owner, sessionId.toWellFormed()]))
    .digest('hex');
}
