import type { DisclosureKind } from '../../base/privacy/disclosure.ts';
import type { Person } from '../people/people.ts';
import type { Reply } from '../outbound/reply.ts';

/** A command that was asked as a question: in words, or by another program for a person. */
export interface Question {
  /** The Slack id of the person who asks, and whose rights decide. */
  slackId: string;
  /** Empty if the answer appears in no channel. */
  channel: string;
  command: string;
  /** As typed after the command. */
  text: string;
  reply: Reply;
  /** Whether the answer may be a file of Slack. */
  takesFiles?: boolean;
  /** Takes rights away, for readers who may see less than the person. */
  restrict?: (person: Person) => Person;
  /** What *Who saw my figures* says about the answer, if not what the command itself shows. */
  disclosedAs?: DisclosureKind;
  /** For the log. */
  about: Record<string, unknown>;
}

/** @returns the outcome, as in the metrics: `answered`, `refused`, `lacks_role`, `misunderstood`, `fault`, … */
export type AskQuestion = (question: Question) => Promise<string>;
