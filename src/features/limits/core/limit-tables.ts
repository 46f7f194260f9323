import type { Generated, Kysely, Selectable, Transaction } from 'kysely';
import type { Tables } from '../../../core/store/tables.ts';
import type { PersonState } from './person-states.ts';
import type { ApproverTables } from './approver-tables.ts';
import type { RequestState } from './states.ts';

/**
 * `ask`: from the form. `import`: from a list. `return`: sets the approved lower limit after a temporary raise. `undo`:
 * sets the limits from before another request. `policy`: a policy made it for a person that it covers.
 */
export type RequestKind = 'ask' | 'import' | 'return' | 'undo' | 'policy';

/** All times are ISO 8601 in UTC with milliseconds, so that they sort as text on both engines. */
export type LimitRequestTable = {
  id: string;
  kind: RequestKind;
  state: RequestState;
  version: Generated<number>;
  requester: string;
  /** In lower case; null if Slack showed none. */
  requesterEmail: string | null;
  reason: string;
  /** When the limits return; each person then has a `returnValue`. */
  until: string | null;
  people: number;
  createdAt: string;
  expiresAt: string;
  decidedBy: string | null;
  /** For a return: the time of its raise’s decision, so that any later decision wins. */
  decidedAt: string | null;
  comment: string | null;
  finishedAt: string | null;
  /** For a return: the request that raised the limits. For an undo: the request that it undoes. */
  parentId: string | null;
  /** How often an admin retried it. */
  round: Generated<number>;
  /** How often it was sent in this round. */
  attempts: Generated<number>;
  /** When Quartermaster sends it by itself; null while a person has to act. */
  nextAttemptAt: string | null;
  leasedBy: string | null;
  leasedUntil: string | null;
  /** JSON of the evidence about the people, for reviewers. */
  evidence: string | null;
  /** For an `unsure` request: the period in which the store may lack sendings and decisions. */
  unsureSince: string | null;
  unsureUntil: string | null;
  /** The admin who chose whether it is sent, and when. */
  chosenBy: string | null;
  chosenAt: string | null;
  /** 1 if the requester decided it, because there was no other admin. */
  decidedAlone: number | null;
  /** The admin who pressed *Undo*, and when; a request of its own sets the earlier limits. */
  undoneBy: string | null;
  undoneAt: string | null;
  /** The admin who gave the first of two approvals; `decidedBy` gives the second. */
  firstApprovedBy: string | null;
  /** In lower case. */
  firstApprovedEmail: string | null;
  firstApprovedAt: string | null;
  /** The policy that approved it, in the version that it met; null if a person decides. */
  policyId: string | null;
  policyVersion: number | null;
  policyName: string | null;
  /** How long it can be undone, if longer than other requests. */
  undoUntil: string | null;
  /** 1: the requester cannot work until it is decided. */
  isBlocked: Generated<number | null>;
  /** The session of their agent that ended, as the feature of sessions stores it; unique. */
  sessionKey: Generated<string | null>;
};

export type LimitPersonTable = {
  requestId: string;
  /** Lower case. */
  email: string;
  position: number;
  /** Null if Slack does not know them. */
  slackId: string | null;
  /** The value in the ledger at the time of the request. */
  fromValue: number | null;
  /** The declared value at the time of the request, if the ledger had none. */
  fromDeclared: number | null;
  /** What the platform showed when it was requested or last reviewed, if it shows limits. */
  shownBefore: Generated<string | null>;
  toValue: number;
  /** 1: their own limit is removed; `toValue` is then 0 and never sent. */
  removes: Generated<number | null>;
  /** 1: their own limit is removed after the raise. */
  returnsToNone: Generated<number | null>;
  /** The limit after the raise. The table checks that it is at most the requested and the approved value. */
  returnValue: number | null;
  /** Required for sending. */
  approvedValue: number | null;
  setValue: number | null;
  state: PersonState;
  error: string | null;
  /**
   * 1: a raise that was not sent again because its end had passed, but whose earlier sending may have set it, so that a
   * person decides its end. Only while it is `superseded`.
   */
  mayBeSet: Generated<number | null>;
  batch: number | null;
};

/** Every limit that the platform confirmed. */
export type LimitLedgerTable = {
  requestId: string;
  email: string;
  value: number;
  /** 1: their own limit was removed; `value` is then 0. */
  removed: Generated<number | null>;
  valueBefore: number | null;
  setAt: string;
  askedBy: string;
  approvedBy: string;
  approvedAt: string;
};

/** A limit that was set before Quartermaster came. It is never sent, and never a value of the ledger. */
export type DeclaredLimitTable = {
  /** Lower case; `*` for everybody. */
  email: string;
  value: number;
  declaredBy: string;
  declaredAt: string;
};

/** Each act of declaring a limit, and of taking a declaration back. */
export type LimitDeclarationTable = {
  /** Lower case; `*` for everybody. */
  email: string;
  declaredAt: string;
  /** Null: it was taken back. */
  value: number | null;
  valueBefore: number | null;
  declaredBy: string;
};

/** Unsent input that is too long for the metadata of a modal. */
export type LimitDraftTable = {
  id: string;
  owner: string;
  createdAt: string;
  contents: string;
};

export type LimitQuestionTable = {
  id: string;
  requestId: string;
  question: string;
  askedBy: string;
  askedAt: string;
  answer: string | null;
  answeredBy: string | null;
  answeredAt: string | null;
};

export type LimitTables = {
  limitRequests: LimitRequestTable;
  limitRequestPeople: LimitPersonTable;
  limitLedger: LimitLedgerTable;
  declaredLimits: DeclaredLimitTable;
  limitDeclarations: LimitDeclarationTable;
  limitDrafts: LimitDraftTable;
  limitQuestions: LimitQuestionTable;
} & ApproverTables;

export type LimitRequest = Selectable<LimitRequestTable>;
export type LimitPerson = Selectable<LimitPersonTable>;
export type LimitDeclaration = Selectable<LimitDeclarationTable>;
export type LimitQuestion = Selectable<LimitQuestionTable>;
export type LedgerEntry = Selectable<LimitLedgerTable>;

/** Whether another request caused it, so that no user asked for it. */
export const isFollowUp = ({ kind }: Pick<LimitRequest, 'kind'>): boolean => kind === 'return' || kind === 'undo';

export type LimitDatabase = Kysely<Tables & LimitTables>;
export type LimitTransaction = Transaction<Tables & LimitTables>;

export const withLimits = (db: Kysely<Tables>): LimitDatabase => db.withTables<LimitTables>();
