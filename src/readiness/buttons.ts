import { z } from 'zod';
import { button, type Button } from '../slack/blocks/blocks.ts';
import type { Repository } from './reports/repository.ts';

export const SHOW_ACTION = 'readiness_show';

const valueSchema = z.object({ kind: z.enum(['repository', 'more']), key: z.string() });
/** What somebody wants to see of a repository: what is decided by, or the rest of it. */
export type ShowRequest = z.infer<typeof valueSchema>;
export const MAX_VALUE_LENGTH = 2_000;

/** Shows a repository: by its key, which comes from the platform and is no command. None where it is too long for a button. */
export function showButtons(
  text: string,
  { key }: Pick<Repository, 'key'>,
  kind: ShowRequest['kind'] = 'repository',
): Button[] {
  const value = JSON.stringify({ kind, key } satisfies ShowRequest);
  return value.length > MAX_VALUE_LENGTH ? [] : [button({ text, actionId: SHOW_ACTION, value })];
}

/** What a button asks for. Anybody can send anything. */
export function showRequestOn(value: string): ShowRequest {
  return valueSchema.parse(JSON.parse(value));
}
