import type { Audience } from '../../../core/slack/people/audience.ts';
import type { Block, BlockMessage } from '../../../core/slack/blocks/blocks.ts';
import type { UserError } from '../../../core/slack/blocks/faults.ts';
import { paragraphMessage, type Paragraph } from '../../../core/slack/blocks/paragraphs.ts';

export interface View {
  title: string;
  /** The content of the blocks, for notifications and screen readers; not escaped yet. */
  lines: readonly string[];
  /** The content without title and buttons. */
  blocks: readonly Block[];
  /** The content that matters for decisions: about one screen of a phone. */
  short: Paragraph;
  /** The details; undefined if the short form is complete. */
  more?: Paragraph | undefined;
  /** Whether it names single people, so that sharing requires a confirmation. */
  hasNames: boolean;
  /** The offset of the next rows, if a table did not fit. */
  next?: number | undefined;
}

/** A view with the readers that it was built for: only a view for a channel can be posted to one. */
export interface AddressedView<Readers extends Audience> extends View {
  readers: Readers;
}

export interface ViewNotes {
  /** Remarks about the period, for example that it was cut. */
  notes: readonly string[];
  faults: readonly ({ part: string } & UserError)[];
}

export function viewMessage(view: View, ...below: readonly Paragraph<never>[]): BlockMessage {
  return paragraphMessage(view.title, [view], ...below);
}

/** @param below buttons */
export function shortMessage(view: View, ...below: readonly Paragraph<never>[]): BlockMessage {
  return paragraphMessage(view.title, [view.short], ...below);
}

/** @param below buttons */
export function moreMessage({ title, short, more }: View, ...below: readonly Paragraph<never>[]): BlockMessage {
  return paragraphMessage(`Details: ${title}`, [more ?? short], ...below);
}
