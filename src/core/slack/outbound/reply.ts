import type { OutgoingMessage } from '../../outbox/poster.ts';

/** Answers a person where they acted. */
export interface Reply {
  /** Appears if the answer takes longer than a second. Safe to call often. */
  progress(text: string): void;
  /** Shows the answer to the person alone. */
  show(message: OutgoingMessage): Promise<void>;
  /** Keeps the person's earlier messages. */
  add(message: OutgoingMessage): Promise<void>;
  /** Leaves the person's own view unchanged. */
  share(message: OutgoingMessage): Promise<void>;
  /** Shows no progress afterwards, even if there was no answer. */
  end(): void;
}
