import type { Generated, Kysely, Selectable, Transaction } from 'kysely';
import type { Tables } from '../../store/tables.ts';
import type { PersonState } from '../apply/outcomes.ts';
import type { RequestState } from './states.ts';

/** `ask`: by the form. `import`: of a list. `return`: a raise whose time is over goes back, as it was approved to. */
export type RequestKind = 'ask' | 'import' | 'return';

/** All times are ISO 8601 in UTC with milliseconds, so that they sort as text on both engines. */
export type LimitRequestTable = {
  id: string;
  kind: RequestKind;
  state: RequestState;
  /** Counts the changes of state. */
  version: Generated<number>;
  requester: string;
  /** In lower case; missing where Slack showed none. */
  requester_email: string | null;
  reason: string;
  /** When the values go back; then each person has a value to go back to. */
  until: string | null;
  people: number;
  created_at: string;
  expires_at: string;
  decided_by: string | null;
  /** Of a return: when its raise was decided, so that whatever was decided later wins. */
  decided_at: string | null;
  comment: string | null;
  finished_at: string | null;
  /** Of a return: the request whose values go back. */
  parent_id: string | null;
  /** How often somebody had what failed sent again. */
  round: Generated<number>;
  /** How often it was sent in this round. */
  attempts: Generated<number>;
  /** When Quartermaster sends it by itself; nothing while somebody else has to act. */
  next_attempt_at: string | null;
  leased_by: string | null;
  leased_until: string | null;
  /** JSON of what the reviewers are shown about the people. */
  evidence: string | null;
  /** Of a request that an admin is asked about: of which time the store may lack what was sent and decided. */
  unsure_since: string | null;
  unsure_until: string | null;
  /** Who said what comes of it, and when. */
  chosen_by: string | null;
  chosen_at: string | null;
};

export type LimitPersonTable = {
  request_id: string;
  /** Lower case. */
  email: string;
  position: number;
  /** Missing: Slack does not know them. */
  slack_id: string | null;
  /** What the ledger held when it was asked for. */
  from_value: number | null;
  to_value: number;
  /** What it goes back to; never above what is asked, nor what is approved: the table checks both. */
  return_value: number | null;
  /** Nobody is sent without one. */
  approved_value: number | null;
  /** What the platform said that it set. */
  set_value: number | null;
  state: PersonState;
  /** What the platform said, or what is known instead. */
  error: string | null;
  batch: number | null;
};

/** What this bot knows of limits: each value that the platform said it set. */
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

/** What somebody typed and has not sent yet: too long for what Slack keeps with a modal. */
export type LimitDraftTable = {
  id: string;
  owner: string;
  created_at: string;
  contents: string;
};

/** What a reviewer asked the requester before anybody decided. */
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
