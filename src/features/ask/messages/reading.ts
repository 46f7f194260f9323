import type { Person } from '../../../core/slack/people/people.ts';

/** A slash command, as it would be typed. */
export interface CommandLine {
  command: string;
  /** The words after the command; people and user groups as in Slack’s own text. */
  text: string;
}

/** What a message in words means. */
export type Reading =
  | { kind: 'answer'; line: CommandLine; near: readonly CommandLine[] }
  /** Several meanings; none is answered. */
  | { kind: 'unclear'; near: readonly CommandLine[] }
  /** A number could mean two; the sentence names both. */
  | { kind: 'ambiguous'; sentence: string }
  /** It would change something, so that the person has to do it. */
  | { kind: 'action'; line: CommandLine }
  | { kind: 'unknown'; near: readonly CommandLine[] };

export type ReadMessage = (text: string, asker: Person, now: Date) => Promise<Reading>;
