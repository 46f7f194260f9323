import { z } from 'zod';

const MOST_REPOSITORIES = 20;
const LONGEST_ADDRESS = 2_048;
const LONGEST_NAME = 63;

/** What the API document asks of a new computer. */
export const BODY_LIMITS = {
  name: LONGEST_NAME,
  remoteUser: LONGEST_NAME,
  repositories: MOST_REPOSITORIES,
  address: LONGEST_ADDRESS,
} as const;

const bodySchema = z.object({
  name: z.string().min(1).max(LONGEST_NAME),
  remoteUser: z.string().min(1).max(LONGEST_NAME),
  provider: z.enum(['byom', 'hosted']).optional(),
  hostId: z.uuid().optional(),
  repos: z.array(z.url().max(LONGEST_ADDRESS)).max(MOST_REPOSITORIES).optional(),
  autoInstallDeps: z.boolean(),
});

/** The body of the request for a new computer. */
export type StoredBody = z.infer<typeof bodySchema>;

/** Reads what was stored; nothing if another version stored something else. */
export function readBody(text: string | null): StoredBody | undefined {
  if (text === null) return undefined;
  return bodySchema.safeParse(JSON.parse(text)).data;
}
