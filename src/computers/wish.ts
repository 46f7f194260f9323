import { z } from 'zod';

const MOST_REPOSITORIES = 20;
const LONGEST_ADDRESS = 2_048;
const LONGEST_NAME = 63;

/** What the API document asks of a new computer. */
export const WISH_LIMITS = {
  name: LONGEST_NAME,
  remoteUser: LONGEST_NAME,
  repositories: MOST_REPOSITORIES,
  address: LONGEST_ADDRESS,
} as const;

const wishSchema = z.object({
  name: z.string().min(1).max(LONGEST_NAME),
  remoteUser: z.string().min(1).max(LONGEST_NAME),
  provider: z.enum(['byom', 'hosted']).optional(),
  hostId: z.uuid().optional(),
  repos: z.array(z.url().max(LONGEST_ADDRESS)).max(MOST_REPOSITORIES).optional(),
  autoInstallDeps: z.boolean(),
});

/** The body of the request for a new computer. */
export type Wish = z.infer<typeof wishSchema>;

/** Reads what was stored; nothing if another version stored something else. */
export function readWish(text: string | null): Wish | undefined {
  if (text === null) return undefined;
  return wishSchema.safeParse(JSON.parse(text)).data;
}
