import { z } from 'zod';
import { NO_PSEUDONYMS, type Pseudonyms } from '../../base/privacy/pseudonyms.ts';
import { eachItem } from './cursor-pages.ts';
import { nextByCursor, pagination } from './pagination.ts';
import type { CallOptions, Send } from '../transport/request.ts';

const PATH = '/api/v0/organization/users';
/** The most that the operation takes. */
const PAGE_SIZE = '100';

const instant = z.iso.datetime({ offset: true }).transform((at) => new Date(at));

/** One bad value costs that value, and a member without an e-mail that member: figures know people by it. */
const member = z
  .looseObject({
    email: z.string().trim().min(1).max(320),
    createdAt: instant.optional().catch(undefined),
    lastSignInAt: instant.nullish().catch(undefined),
  })
  .optional()
  .catch(undefined);

const rosterPage = z.looseObject({ users: z.array(member), pagination });
type RosterPage = z.infer<typeof rosterPage>;

/** Somebody with a seat. */
export interface RosterMember {
  /** Lower case. */
  email: string;
  /** Undefined if it cannot be read. */
  createdAt: Date | undefined;
  /** Undefined if they never signed in, or if it cannot be read. */
  lastSignInAt: Date | undefined;
}

/** Every method throws PlatformError. */
export interface Roster {
  /** Not in the contract: a platform that does not have it answers 404, 405 or a web page. */
  read(options?: CallOptions): Promise<readonly RosterMember[]>;
}

/** @param pseudonyms people who were erased are left out */
export function createRoster(send: Send, pseudonyms: Pseudonyms = NO_PSEUDONYMS): Roster {
  return {
    read: async (options) => {
      const members = new Map<string, RosterMember>();
      let place = 0;
      const listing = eachItem<RosterPage, z.infer<typeof member>>({
        path: PATH,
        load: (cursor) => {
          const call = { method: 'GET', host: 'base', path: PATH, schema: rosterPage, isTrial: true } as const;
          return send({ ...call, query: { limit: PAGE_SIZE, ...(cursor === undefined ? {} : { cursor }) } }, options);
        },
        items: (page) => page.users,
        next: (page) => nextByCursor(page.pagination),
        key: (one) => one?.email.toLowerCase() ?? String((place += 1)),
      });
      for await (const one of listing) {
        if (!one || pseudonyms.find({ kind: 'email', value: one.email }) !== undefined) continue;
        const email = one.email.toLowerCase();
        members.set(email, { email, createdAt: one.createdAt, lastSignInAt: one.lastSignInAt ?? undefined });
      }
      return [...members.values()];
    },
  };
}
