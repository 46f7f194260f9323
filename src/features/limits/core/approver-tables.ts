import type { Selectable } from 'kysely';

type ApproverRulesTable = {
  place: 'here';
  /** How long each approver is asked before the next one. */
  hours: number;
  /** Above this many credits in total, two admins approve a request; null: one admin is always enough. */
  secondAbove: number | null;
  /** 1 if approvers are skipped whose Slack status says that they are away. */
  skipsAway: number;
  changedBy: string;
  at: string;
};

type ApproverTable = {
  position: number;
  slackId: string;
};

/** The reasons why an approver is not asked. */
export const OBSTACLES = ['not_admin', 'own_request', 'first_approver', 'away', 'beyond_team'] as const;

/** In the place of an approver: the leads of the team of the person, all at once. */
export const TEAM = 'team';
export type Obstacle = (typeof OBSTACLES)[number];

/** One row per admin who was asked to decide a request, or skipped. The primary key decides between replicas. */
type LimitTurnTable = {
  requestId: string;
  /** 0, 1, 2 … */
  turn: number;
  /** 2 while a second approval is needed. */
  stage: 1 | 2;
  /** Slack id, or `TEAM`; null: all admins who can decide it. */
  approver: string | null;
  givenBy: string | null;
  skipped: Obstacle | null;
  at: string;
};

export type ApproverTables = {
  limitApproverRules: ApproverRulesTable;
  limitApprovers: ApproverTable;
  limitTurns: LimitTurnTable;
};

export type LimitTurn = Selectable<LimitTurnTable>;
