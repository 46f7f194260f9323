import type { Generated, Kysely, Selectable, Transaction } from 'kysely';
import type { Tables } from '../../store/tables.ts';
import type { PersonState } from '../apply/outcomes.ts';
import type { RequestState } from './states.ts';

/** `ask`: from the form. `import`: from a list. `return`: sets the approved lower limit after a temporary raise. */
export type RequestKind = 'ask' | 'import' | 'return';

/** All times are ISO 8601 in UTC with milliseconds, so that they sort as text on both engines. */
export type LimitRequestTable = {
  id: string;
  kind: RequestKind;
  state: RequestState;
  /** The number of state changes. */
  version: Generated<number>;
  requester: string;
  /** In lower case; null if Slack showed none. */
  requester_email: string | null;
  reason: string;
  /** When the limits return; each person then has a `return_value`. */
  until: string | null;
  people: number;
  created_at: string;
  expires_at: string;
  decided_by: string | null;
  /** For a return: the time of its raise’s decision, so that any later decision wins. */
  decided_at: string | null;
  comment: string | null;
  finished_at: string | null;
  /** For a return: the request that raised the limits. */
  parent_id: string | null;
  /** How often an admin retried it. */
  round: Generated<number>;
  /** How often it was sent in this round. */
  attempts: Generated<number>;
  /** When Quartermaster sends it by itself; null while a person has to act. */
  next_attempt_at: string | null;
  leased_by: string | null;
  leased_until: string | null;
  /** JSON of the evidence about the people, for reviewers. */
  evidence: string | null;
  /** For an `unsure` request: the period in which the store may lack sendings and decisions. */
  unsure_since: string | null;
  unsure_until: string | null;
  /** The admin who chose whether it is sent, and when. */
  chosen_by: string | null;
  chosen_at: string | null;
};

export type LimitPersonTable = {
  request_id: string;
  /** Lower case. */
  email: string;
  position: number;
  /** Null if Slack does not know them. */
  slack_id: string | null;
  /** The value in the ledger at the time of the request. */
  from_value: number | null;
  to_value: number;
  /** The limit after the raise. The table checks that it is at most the requested and the approved value. */
  return_value: number | null;
  /** Required for sending. */
  approved_value: number | null;
  /** The value that the platform confirmed. */
  set_value: number | null;
  state: PersonState;
  error: string | null;
  batch: number | null;
};

/** Every limit that the platform confirmed. */
export type LimitLedgerTable = {
  request_id: string;
  email: string;
  value: number;
  value_before: number | null;
  set_at: string;
  asked_by: string;
  approved_by: string;
  approved_at: string;
};

/** Unsent input that is too long for the metadata of a modal. */
export type LimitDraftTable = {
  id: string;
  owner: string;
  created_at: string;
  contents: string;
};

export type LimitQuestionTable = {
  id: string;
  request_id: string;
  question: string;
  asked_by: string;
  asked_at: string;
  answer: string | null;
  answered_by: string | null;
  answered_at: string | null;
};

export type LimitTables = {
  limit_requests: LimitRequestTable;
  limit_request_people: LimitPersonTable;
  limit_ledger: LimitLedgerTable;
  limit_drafts: LimitDraftTable;
  limit_questions: LimitQuestionTable;
};

export type LimitRequest = Selectable<LimitRequestTable>;
export type LimitPerson = Selectable<LimitPersonTable>;
export type LimitQuestion = Selectable<LimitQuestionTable>;
export type LedgerEntry = Selectable<LimitLedgerTable>;

export type LimitDatabase = Kysely<Tables & LimitTables>;
export type LimitTransaction = Transaction<Tables & LimitTables>;

export function withLimits(db: Kysely<Tables>): LimitDatabase {
  return db.withTables<LimitTables>();
}
