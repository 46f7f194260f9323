import type { z } from 'zod';
import { newComputer } from '../../platform/endpoints/computers.ts';

const bodySchema = newComputer.required({ autoInstallDeps: true });

/** The body of the request for a new computer. */
export type StoredBody = z.infer<typeof bodySchema>;

/** Reads what was stored; nothing if another version stored something else. */
export function readBody(text: string | null): StoredBody | undefined {
  if (text === null) return undefined;
  return bodySchema.safeParse(JSON.parse(text)).data;
}
