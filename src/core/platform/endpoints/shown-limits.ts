import { z } from 'zod';
import { NO_PSEUDONYMS, type Pseudonyms } from '../../base/privacy/pseudonyms.ts';
import { eachItem } from './cursor-pages.ts';
import { nextByCursor, pagination } from './pagination.ts';
import type { CallOptions, Send } from '../transport/request.ts';

const PATH = '/api/v0/organization/usage/limits/users';

const shownAmount = z.number().min(0);

/** An entry whose e-mail cannot be read may be anybody’s, so it makes the whole answer unreadable. */
const ownLimit = z.looseObject({
  email: z.string().trim().min(1).max(320),
  /** Undefined: it cannot be read. */
  limit: shownAmount.optional().catch(undefined),
});

const limitsPage = z.looseObject({
  globalLimit: shownAmount.nullable(),
  userLimits: z.array(ownLimit),
  /** Not documented today; followed if it appears. */
  pagination: pagination.nullish(),
});
type LimitsPage = z.infer<typeof limitsPage>;

/** The limits that the platform shows at one time. */
export interface LimitsInForce {
  /** For everybody without a limit of their own; null: there is none. */
  everybody: number | null;
  /** By e-mail in lower case; undefined: there is one that cannot be read, or more than one. */
  own: ReadonlyMap<string, number | undefined>;
}

/** Every method throws PlatformError. */
export interface ShownLimits {
  /** Not in the contract: a platform that does not have it answers 404, 405 or a web page. */
  read(options?: CallOptions): Promise<LimitsInForce>;
}

/** @param pseudonyms replace erased people */
export function createShownLimits(send: Send, pseudonyms: Pseudonyms = NO_PSEUDONYMS): ShownLimits {
  return {
    read: async (options) => {
      let everybody: number | null = null;
      const own = new Map<string, number | undefined>();
      let entries = 0;
      const listing = eachItem<LimitsPage, z.infer<typeof ownLimit>>({
        path: PATH,
        load: async (cursor) => {
          const call = { method: 'GET', host: 'base', path: PATH, schema: limitsPage, isTrial: true } as const;
          const page = await send({ ...call, ...(cursor === undefined ? {} : { query: { cursor } }) }, options);
          everybody = page.globalLimit;
          return page;
        },
        items: (page) => page.userLimits,
        next: (page) => (page.pagination ? nextByCursor(page.pagination) : { more: false }),
        // Two entries of one person both count: which of them is in effect is not known.
        key: () => String((entries += 1)),
      });
      for await (const { email, limit } of listing) {
        const key = pseudonyms.find({ kind: 'email', value: email }) ?? email.toLowerCase();
        own.set(key, own.has(key) ? undefined : limit);
      }
      return { everybody, own };
    },
  };
}
