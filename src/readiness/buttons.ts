import { z } from 'zod';
import { button, type Button } from '../slack/blocks/blocks.ts';
import type { Repository } from './reports/repository.ts';

export const SHOW_ACTION = 'readiness_show';

const valueSchema = z.object({ kind: z.literal('repository'), key: z.string() });
export const MAX_VALUE_LENGTH = 2_000;

/** Shows a repository: by its key, which comes from the platform and is no command. None where it is too long for a button. */
export function showButtons(text: string, { key }: Pick<Repository, 'key'>): Button[] {
  const value = JSON.stringify({ kind: 'repository', key } satisfies z.infer<typeof valueSchema>);
  return value.length > MAX_VALUE_LENGTH ? [] : [button({ text, actionId: SHOW_ACTION, value })];
}

/** The key of the repository on a button. Anybody can send anything. */
export function keyOn(value: string): string {
  return valueSchema.parse(JSON.parse(value)).key;
}
