import type { Period } from '../time/calendar.ts';

/** In which part of the product figures of a person were shown by name. */
export const DISCLOSURE_KINDS = [
  'usage',
  'overview',
  'list',
  'file',
  'digest',
  'budget',
  'watch',
  'limit_request',
  'limit_trial',
  'limit_review',
] as const;
export type DisclosureKind = (typeof DISCLOSURE_KINDS)[number];

/** Figures of single people that a message shows by name. */
export interface Disclosure {
  what: DisclosureKind;
  /** E-mails in lower case. */
  of: 'everybody' | readonly string[];
  /**
   * For a message to a channel: the Slack id of the person who chose that it names people there; null: the operator, in the
   * settings. A channel gets no names without it.
   */
  chosenBy?: string | null;
}

/**
 * Whose figures a message shows by name.
 *
 * @example const names: Names = { what: 'digest', of: ['mia@acme.example'], chosenBy: 'U1' }
 */
export type Names = 'nobody' | Disclosure;

/** Records that figures of people are shown, before they are shown. `self`: the e-mail of the reader, whose own figures do not count. */
export type RecordDisclosure = (shown: {
  /** The Slack id of the person, or of the channel, that sees them. */
  to: string;
  self: string | undefined;
  names: Exclude<Names, 'nobody'>;
}) => Promise<void>;

/** The credits of a group: over all of a period, or for each of its days. */
export interface GroupSum {
  /** In lower case, sorted, each once. */
  emails: readonly string[];
  period: Period;
  isByDay: boolean;
}
