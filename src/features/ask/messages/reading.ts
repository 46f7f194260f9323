/** A slash command, as it would be typed. */
export interface CommandLine {
  command: string;
  /** The words after the command; people and user groups as in Slack’s own text. */
  text: string;
}

/** What a message in words means. */
export type Reading =
  | { kind: 'answer'; line: CommandLine; near: readonly CommandLine[] }
  /** Several meanings, or none that is certain; none is answered. `sentence` says why, if not that. */
  | { kind: 'unclear'; near: readonly CommandLine[]; sentence?: string | undefined }
  /** “hi”, “thanks” or “help” */
  | { kind: 'hello' }
  /** A number could mean two; the sentence names both. */
  | { kind: 'ambiguous'; sentence: string }
  | { kind: 'unknown'; near: readonly CommandLine[] };

export type ReadMessage = (text: string, now: Date) => Promise<Reading>;
