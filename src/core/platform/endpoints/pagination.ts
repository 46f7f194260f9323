import { z } from 'zod';
import type { NextPage } from './cursor-pages.ts';

/** API document: "Pagination object (messages and enterprise history)". */
export const pagination = z.looseObject({
  hasMore: z.boolean(),
  nextCursor: z
    .string()
    .nullish()
    .transform((cursor) => cursor || undefined),
});
export type Pagination = z.infer<typeof pagination>;

export function nextByCursor({ hasMore, nextCursor }: Pagination): NextPage {
  return hasMore ? { more: true, cursor: nextCursor } : { more: false };
}
