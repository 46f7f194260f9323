import { z } from 'zod';
import { label, longText } from '../bounded-text.ts';
import { checkArgument } from '../arguments.ts';
import type { CallOptions, Send } from '../transport/request.ts';

const PATH = '/api/v0/organization/usage/limits/users';

/** API document: "users per request: 1-100 entries". */
export const MAX_LIMITS_PER_CALL = 100;

/** `null` removes the limit of the person, on a platform that shows limits. */
const newLimit = z.strictObject({ email: z.string().trim().min(1).max(320), limit: z.number().min(0).nullable() });

export type UserLimit = z.infer<typeof newLimit>;

const newLimits = z
  .array(newLimit)
  .min(1)
  .max(MAX_LIMITS_PER_CALL)
  // The document does not show which of two values for one person would win.
  .refine(
    (users) => new Set(users.map(({ email }) => email.toLowerCase())).size === users.length,
    'each e-mail may be named once',
  );

const limitsResult = z.looseObject({
  updated: z.array(z.looseObject({ email: label, limit: z.number().nullable() })),
  /** The document does not list the texts of `error`. */
  errors: z.array(z.looseObject({ email: label, error: longText })),
});
export type LimitsResult = z.infer<typeof limitsResult>;

/** Every method throws PlatformError. */
export interface Limits {
  /**
   * Takes 1-100 people. Retried if that is safe, since setting a value twice is the same as once. Read `errors` too: a
   * success may have left people out.
   *
   * @throws PlatformError with `outcomeUnknown: true` if it may have taken effect
   * @example const { updated, errors } = await client.limits.setUserLimits([{ email: 'mia@acme.example', limit: 5_000
   * }]);
   */
  setUserLimits(users: readonly UserLimit[], options?: CallOptions): Promise<LimitsResult>;
}

export function createLimits(send: Send): Limits {
  return {
    setUserLimits: async (users, options) => {
      const checked = checkArgument('PUT', PATH, 'users', newLimits, users);
      return send({ method: 'PUT', host: 'base', path: PATH, body: { users: checked }, schema: limitsResult }, options);
    },
  };
}
