import { createHash } from 'node:crypto';
import { z } from 'zod';

/** A session of one owner. Whatever another person's client calls its own, it hashes to something else. */
export function sessionKey(owner: string, sessionId: string): string {
  return createHash('sha256')
    .update(JSON.stringify([owner, sessionId.toWellFormed()]))
    .digest('hex');
}

export const CARD_KIND = 'hook-card';
export const AGAIN_KIND = 'hook-again';
export const MORNING_KIND = 'hook-morning';

export const cardKey = (id: string, number: number) => `hook-card:${id}:${number}`;
/** @param since when the agent began to wait */
export const againKey = (id: string, since: string) => `hook-again:${id}:${since}`;
export const morningKey = (owner: string, until: Date) => `hook-morning:${owner}:${until.toISOString()}`;

export const cardPayload = z.object({ id: z.string(), number: z.int() });
export const againPayload = z.object({ id: z.string(), since: z.iso.datetime() });
export const morningPayload = z.object({ until: z.iso.datetime() });
