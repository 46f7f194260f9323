import { sql } from 'kysely';
import { bySlackId, isAmong, type PoliciesOf } from '../../core/store/table-policy.ts';
import type { LimitTables } from './core/limit-tables.ts';
import { rowRetention } from '../../core/store/row-retention.ts';
import { requestRetention } from './limit-retention.ts';

const ofRequest = { references: ['limitRequests'] };

export const limitPolicies: PoliciesOf<LimitTables> = {
  limitDrafts: { what: 'unsent limit requests', deleted: bySlackId('owner'), reasonToKeep: 'they are others’' },
  limitQuestions: { ...ofRequest, what: 'questions about limit requests', reasonToKeep: 'decisions can be proved' },
  limitTurns: { ...ofRequest, what: 'who was asked to decide limit requests', reasonToKeep: 'decisions can be proved' },
  limitApproverRules: { what: 'who set the approvers of limits', reasonToKeep: 'the rules are used' },
  limitApprovers: { what: 'approvers of limits', deleted: bySlackId('slack_id'), reasonToKeep: 'they are others’' },
  limitLedger: { ...ofRequest, what: 'limits set here', reasonToKeep: 'settings can be proved' },
  declaredLimits: {
    what: 'declared limits',
    deleted: ({ email }) => isAmong('email', email),
    reasonToKeep: 'the limits of others are used',
    people: { where: (email) => sql<boolean>`email = ${email}`, read: ({ email }) => [{ email }] },
  },
  limitDeclarations: {
    what: 'declarations of limits',
    reasonToKeep: 'declarations can be proved',
    people: { where: (email) => sql<boolean>`email = ${email}`, read: ({ email }) => [{ email }] },
    retention: [
      rowRetention('audit', { table: 'limit_declarations', key: ['email', 'declared_at'], column: 'declared_at' }),
    ],
  },
  limitRequestPeople: {
    ...ofRequest,
    what: 'requested limits',
    reasonToKeep: 'decisions can be proved',
    people: {
      where: (email) => sql<boolean>`email = ${email}`,
      read: ({ email, slackId }) => [{ email, slackId }],
    },
  },
  limitRequests: {
    what: 'limit requests',
    reasonToKeep: 'decisions can be proved',
    ofOthers: ['evidence'],
    people: {
      where: (email) => sql<boolean>`requester_email = ${email}`,
      read: ({ requesterEmail: email, requester: slackId }) => [{ email, slackId }],
    },
    retention: [requestRetention],
  },
};
