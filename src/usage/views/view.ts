import type { Audience } from '../../slack/people/audience.ts';
import type { Block, BlockMessage } from '../../slack/blocks/blocks.ts';
import type { UserError } from '../../slack/blocks/faults.ts';
import { paragraphMessage, type Paragraph } from '../../slack/blocks/paragraphs.ts';

/** What every view of `/usage` comes to: the same said twice, in blocks and in lines of text. */
export interface View {
  title: string;
  /** All that the blocks say, for notifications and screen readers. Not escaped yet. */
  lines: readonly string[];
  /** All of it, without the title and without buttons. */
  blocks: readonly Block[];
  /** What is decided by: about one screen of a phone. */
  short: Paragraph;
  /** The rest of it; missing where the short form says all. */
  more?: Paragraph | undefined;
  /** Single people are named, so that it is shared after a confirmation only. */
  hasNames: boolean;
  /** Where a table goes on that did not fit. */
  next?: number | undefined;
}

/** A view and who it was built for: only what was built for a channel is posted into one. */
export interface AddressedView<Readers extends Audience> extends View {
  readers: Readers;
}

/** What is said under the figures besides their source. */
export interface ViewNotes {
  /** What a person should know about the period: that it was cut, for example. */
  notes: readonly string[];
  /** Parts that could not be read, with what the person is told about each. */
  faults: readonly ({ part: string } & UserError)[];
}

export function viewMessage(view: View, ...below: readonly Paragraph<never>[]): BlockMessage {
  return paragraphMessage(view.title, [view], ...below);
}

/**
 * What is decided by.
 *
 * @param below buttons
 */
export function shortMessage(view: View, ...below: readonly Paragraph<never>[]): BlockMessage {
  return paragraphMessage(view.title, [view.short], ...below);
}

export function moreMessage({ title, short, more }: View): BlockMessage {
  return paragraphMessage(`More: ${title}`, [more ?? short]);
}
