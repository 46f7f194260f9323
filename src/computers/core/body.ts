import { z } from 'zod';

const MAX_REPOSITORIES = 20;
const MAX_ADDRESS_LENGTH = 2_048;
const MAX_NAME_LENGTH = 63;

/** What the API document asks of a new computer. */
export const BODY_LIMITS = {
  name: MAX_NAME_LENGTH,
  remoteUser: MAX_NAME_LENGTH,
  repositories: MAX_REPOSITORIES,
  address: MAX_ADDRESS_LENGTH,
} as const;

const bodySchema = z.object({
  name: z.string().min(1).max(MAX_NAME_LENGTH),
  remoteUser: z.string().min(1).max(MAX_NAME_LENGTH),
  provider: z.enum(['byom', 'hosted']).optional(),
  hostId: z.uuid().optional(),
  repos: z.array(z.url().max(MAX_ADDRESS_LENGTH)).max(MAX_REPOSITORIES).optional(),
  autoInstallDeps: z.boolean(),
});

/** The body of the request for a new computer. */
export type StoredBody = z.infer<typeof bodySchema>;

/** Reads what was stored; nothing if another version stored something else. */
export function readBody(text: string | null): StoredBody | undefined {
  if (text === null) return undefined;
  return bodySchema.safeParse(JSON.parse(text)).data;
}
