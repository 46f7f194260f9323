import { z } from 'zod';
import { button, MAX_BUTTON_VALUE_LENGTH, type Button } from '../../core/slack/blocks/blocks.ts';
import type { Repository } from './reports/repository.ts';

export const SHOW_ACTION = 'readiness_show';

const valueSchema = z.object({ kind: z.enum(['repository', 'more']), key: z.string() });
/** The requested part of a repository: the summary or the rest. */
export type ShowRequest = z.infer<typeof valueSchema>;

/** Returns a button for a repository by the platform’s key, which is not a command; none if the key is too long. */
export function showButtons(
  text: string,
  { key }: Pick<Repository, 'key'>,
  kind: ShowRequest['kind'] = 'repository',
): Button[] {
  const value = JSON.stringify({ kind, key } satisfies ShowRequest);
  return value.length > MAX_BUTTON_VALUE_LENGTH ? [] : [button({ text, actionId: SHOW_ACTION, value })];
}

/** Parses a button’s value, which a client can forge. */
export const showRequestOn = (value: string): ShowRequest => valueSchema.parse(JSON.parse(value));
