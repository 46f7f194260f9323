import type { DeclaredMessage } from './attempts/poster.ts';
import type { Reader, ReaderResolution } from './reader.ts';

/** The questions about readers that the outbox asks before a message leaves; the outbox itself knows no people. */
export interface Door {
  /**
   * Resolves who reads messages to a channel or a person now. Throws while Slack cannot be asked.
   *
   * @param isRoleFresh whether Slack is asked for the role now; else it may be a minute old
   */
  resolveReader(address: string, how: { isRoleFresh: boolean }): Promise<ReaderResolution>;
  /**
   * Records whose figures the readers are about to see. If it throws, nothing is sent.
   *
   * @returns why they may not see the declared figures; undefined if they may
   */
  admit(reader: Reader, message: DeclaredMessage): Promise<string | undefined>;
  /** Adds the button with which the recipient of a direct message ends its subscription. */
  withStopButton(message: DeclaredMessage, key: string): DeclaredMessage;
}
