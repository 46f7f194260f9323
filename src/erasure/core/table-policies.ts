import { sql, type RawBuilder } from 'kysely';
import type { Identifiers } from '../../base/privacy/pseudonyms.ts';

/** The data that one table holds about people, and what an erasure does with it. */
export interface TablePolicy {
  /** A phrase for readers of an inventory. */
  what: string;
  /** Selects the rows that are deleted; the person gets a pseudonym in the others. Missing: none is deleted. */
  deleted?: (identifiers: Identifiers) => RawBuilder<boolean>;
  /** The rows disappear by themselves after minutes, so no inventory names them. */
  isPassing?: true;
  /** Why rows stay, with a pseudonym. Missing: none of theirs can stay. */
  reasonToKeep?: string;
}

const among = (column: string, values: readonly string[]) =>
  values.length === 0 ? sql<boolean>`1 = 0` : sql<boolean>`${sql.ref(column)} in (${sql.join(values)})`;
const like = (column: string, patterns: readonly string[]) =>
  patterns.length === 0
    ? sql<boolean>`1 = 0`
    : sql<boolean>`(${sql.join(
        patterns.map((pattern) => sql`${sql.ref(column)} like ${pattern}`),
        sql` or `,
      )})`;
const ofSlackId = (column: string) => (identifiers: Identifiers) => among(column, identifiers.slackId);

const headsUps = ({ slackId }: Identifiers) =>
  sql<boolean>`budget_id in (select id from budgets where kind = 'heads_up' and ${among('owner', slackId)})`;

/**
 * Every table, in the order of deletion: dependent rows are deleted first. A test compares the list with the schema.
 */
export const TABLE_POLICIES: Readonly<Record<string, TablePolicy>> = {
  analytics_days: { what: 'daily figures', reasonToKeep: 'sums over people stay those of the organization' },
  delivery_history: {
    what: 'delivery records',
    deleted: ({ slackId }) =>
      sql<boolean>`delivery_key in (select key from deliveries where ${among('channel', slackId)})`,
    reasonToKeep: 'each message can be explained',
  },
  deliveries: {
    what: 'messages',
    deleted: ofSlackId('channel'),
    reasonToKeep: 'nothing is posted twice',
  },
  forgotten_deliveries: { what: 'keys of messages of long ago', reasonToKeep: 'nothing is posted twice' },
  retention_runs: { what: 'when old rows were deleted' },
  subscriptions: {
    what: 'digests',
    // A digest about this person alone is left without a subject.
    deleted: ({ slackId }) =>
      sql<boolean>`(${among('channel', slackId)} or ${like(
        'settings',
        slackId.map((id) => `%"ids":["${id}"]%`),
      )})`,
    reasonToKeep: 'others get them',
  },
  channel_subscriptions: { what: 'watches', deleted: ofSlackId('channel'), reasonToKeep: 'others get them' },
  seen_events: { what: 'clicks and commands that arrived' },
  pending_interactions: {
    what: 'clicks and forms under way',
    isPassing: true,
    deleted: ({ slackId }) =>
      like(
        'payload',
        slackId.map((id) => `%"user":{"id":"${id}"%`),
      ),
    reasonToKeep: 'they are others’',
  },
  status_notices: { what: 'notices to admins' },
  hook_tokens: { what: 'agent tokens', deleted: ofSlackId('owner') },
  hook_sessions: { what: 'agent sessions', deleted: ofSlackId('owner') },
  hook_inboxes: { what: 'agent notices', deleted: ofSlackId('owner') },
  readiness_seen: { what: 'readiness reports' },
  computer_orders: { what: 'computers they ordered', reasonToKeep: 'the computers are there' },
  audit: { what: 'audit log', reasonToKeep: 'decisions can be proved' },
  usage_teams: { what: 'who chose the teams', reasonToKeep: 'the teams are shown' },
  budget_marks: { what: 'budget warnings', deleted: headsUps, reasonToKeep: 'no warning comes twice' },
  budget_members: { what: 'budget members', deleted: headsUps, reasonToKeep: 'sums of a group stay what they were' },
  budgets: {
    what: 'budgets and credit warnings',
    deleted: ({ slackId }) => sql<boolean>`kind = 'heads_up' and ${among('owner', slackId)}`,
    reasonToKeep: 'others get their warnings',
  },
  figure_looks: {
    what: 'who saw whose figures',
    deleted: ({ email }) => among('subject', email),
    reasonToKeep: 'others see who saw theirs',
  },
  usage_group_sets: { what: 'groups with shown totals', reasonToKeep: 'no difference of a few people is shown' },
  usage_group_sums: { what: 'shown group totals' },
  usage_group_versions: { what: 'versions of group totals' },
  limit_period: { what: 'who set the period of limits', reasonToKeep: 'the period is used' },
  usage_watch_members: {
    what: 'members of watched groups',
    reasonToKeep: 'a reported day is corrected for the same people',
  },
  usage_watch_days: { what: 'unusual days', deleted: ofSlackId('channel'), reasonToKeep: 'no day is reported twice' },
  limit_drafts: { what: 'unsent limit requests', deleted: ofSlackId('owner'), reasonToKeep: 'they are others’' },
  limit_questions: { what: 'questions about limit requests', reasonToKeep: 'decisions can be proved' },
  limit_ledger: { what: 'limits set here', reasonToKeep: 'settings can be proved' },
  limit_request_people: { what: 'requested limits', reasonToKeep: 'decisions can be proved' },
  limit_requests: { what: 'limit requests', reasonToKeep: 'decisions can be proved' },
  revisions: { what: 'changes to the enterprise controls', reasonToKeep: 'the history stays whole' },
  controls_acknowledged: { what: 'who acknowledged a change', reasonToKeep: 'that it was seen can be proved' },
  controls_announced: { what: 'changes that were announced' },
  controls_cursor: { what: 'reading position of the controls' },
  store_identity: { what: 'the name of the store' },
  store_heartbeats: { what: 'running processes' },
  store_silences: { what: 'when the store was away' },
  erasure_requests: {
    what: 'erasures that wait for a second admin',
    deleted: ({ email }) => among('email', email),
    reasonToKeep: 'they are others’',
  },
  erasure_proofs: { what: 'proofs of earlier erasures' },
  export_nights: { what: 'nights of exports' },
  erasures: { what: 'earlier erasures' },
};
