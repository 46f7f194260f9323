import type { DeclaredMessage } from './attempts/poster.ts';
import type { Reader, ReaderResolution } from './reader.ts';

/** The outbox itself knows no people. */
export interface Door {
  /** Throws while Slack cannot be asked. Unless `isRoleFresh`, the role may be a minute old. */
  resolveReader(address: string, how: { isRoleFresh: boolean }): Promise<ReaderResolution>;
  /** Records the disclosure; if it throws, nothing is sent. @returns why the readers may not see the figures */
  admit(reader: Reader, message: DeclaredMessage): Promise<string | undefined>;
  withStopButton(message: DeclaredMessage, key: string): DeclaredMessage;
}
