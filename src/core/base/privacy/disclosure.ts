import type { Period } from '../time/calendar.ts';

/** The parts of the product that show figures of a person by name. */
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
  /** Answers to other programs, whose models read them. */
  'slackbot',
  'token',
] as const;
export type DisclosureKind = (typeof DISCLOSURE_KINDS)[number];

export interface Disclosure {
  what: DisclosureKind;
  /** E-mails in lower case. */
  of: 'everybody' | readonly string[];
  /**
   * For a message to a channel: the Slack id of the person who chose to show names there; null if the operator chose it
   * in the settings. Without it, a channel gets no names.
   */
  chosenBy?: string | null;
}

/** The people that a message shows by name. @example { what: 'digest', of: ['mia@acme.example'], chosenBy: 'U1' } */
export type Names = 'nobody' | Disclosure;

/** Records that figures of people will be shown. `self` is the e-mail of the reader, whose own figures do not count. */
export type RecordDisclosure = (disclosure: {
  /** The Slack id of the person or channel that sees them. */
  to: string;
  self: string | undefined;
  names: Exclude<Names, 'nobody'>;
}) => Promise<void>;

/** An answer named people to a reader who may not see them, so it was not shown. */
export class HiddenPeopleError extends Error {
  override readonly name = 'HiddenPeopleError';
}

export interface GroupSum {
  /** In lower case, sorted, each once. */
  emails: readonly string[];
  period: Period;
  isByDay: boolean;
}
