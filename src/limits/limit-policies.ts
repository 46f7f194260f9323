import { sql } from 'kysely';
import { bySlackId, type PoliciesOf } from '../store/table-policy.ts';
import type { LimitTables } from './core/limit-tables.ts';
import { requestRetention } from './limit-retention.ts';

const ofRequest = { references: ['limit_requests'] };

export const limitPolicies: PoliciesOf<LimitTables> = {
  limit_drafts: { what: 'unsent limit requests', deleted: bySlackId('owner'), reasonToKeep: 'they are others’' },
  limit_questions: { ...ofRequest, what: 'questions about limit requests', reasonToKeep: 'decisions can be proved' },
  limit_ledger: { ...ofRequest, what: 'limits set here', reasonToKeep: 'settings can be proved' },
  limit_request_people: {
    ...ofRequest,
    what: 'requested limits',
    reasonToKeep: 'decisions can be proved',
    people: {
      where: (email) => sql<boolean>`email = ${email}`,
      read: ({ email, slack_id: slackId }) => [{ email, slackId }],
    },
  },
  limit_requests: {
    what: 'limit requests',
    reasonToKeep: 'decisions can be proved',
    ofOthers: ['evidence'],
    people: {
      where: (email) => sql<boolean>`requester_email = ${email}`,
      read: ({ requester_email: email, requester: slackId }) => [{ email, slackId }],
    },
    retention: [requestRetention],
  },
};
