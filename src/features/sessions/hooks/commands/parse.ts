import type { ParsedCommand } from '../../../../core/slack/commands/command-text.ts';
import {
  alone,
  misunderstood,
  readSubcommand,
  run,
  type WordList,
} from '../../../../core/slack/commands/subcommands.ts';
import { readQuietHours, type QuietHours } from '../core/quiet.ts';

export type NotifyRequest =
  | { kind: 'open' }
  | { kind: 'status' }
  | { kind: 'off' }
  | { kind: 'test' }
  | { kind: 'quiet'; hours: QuietHours | undefined };

export const NOTIFY_WORDS: WordList<NotifyRequest> = {
  initial: 'open',
  subcommands: {
    open: alone({ kind: 'open' }),
    status: alone({ kind: 'status' }),
    off: alone({ kind: 'off' }),
    test: alone({ kind: 'test' }),
    quiet: readQuiet,
  },
};

/** @example parseNotify(['quiet', '22:00-07:00']) // { kind: 'run', request: { kind: 'quiet', hours: { … } } } */
export function parseNotify(words: readonly string[]): ParsedCommand<NotifyRequest> {
  const parsed = readSubcommand(words, NOTIFY_WORDS);
  if (parsed.kind !== 'misunderstood' || parsed.corrected === undefined) return parsed;
  return { ...parsed, corrected: `notify ${parsed.corrected}` };
}

function readQuiet(rest: readonly string[]): ParsedCommand<NotifyRequest> {
  if (rest.length === 0) return run({ kind: 'status' });
  if (rest.length === 1 && rest[0]?.toLowerCase() === 'off') return run({ kind: 'quiet', hours: undefined });
  const hours = readQuietHours(rest.slice(0, 4).join(''));
  if (hours) return run({ kind: 'quiet', hours });
  return misunderstood('Quiet hours are two times of your day, such as 22:00-07:00, or off.');
}
