import type { DeclaredMessage } from './poster.ts';
import type { Reader, ReaderResolution } from './reader.ts';

/** What the outbox needs to know of readers before a message leaves; the outbox itself knows no people. */
export interface Door {
  /**
   * Who reads what goes to a channel or a person now. Throws while Slack cannot be asked.
   *
   * @param isRoleFresh Slack is asked for the role now; else it may be a minute old
   */
  resolveReader(address: string, how: { isRoleFresh: boolean }): Promise<ReaderResolution>;
  /**
   * Records whose figures the readers are about to see. Where it throws, nothing is sent.
   *
   * @returns why they may not see what the message declares; undefined if they may
   */
  admit(reader: Reader, message: DeclaredMessage): Promise<string | undefined>;
  /** Adds the button with which the recipient of a direct message ends its subscription. */
  withStopButton(message: DeclaredMessage, key: string): DeclaredMessage;
}
