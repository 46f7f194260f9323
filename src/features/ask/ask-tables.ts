import type { Kysely, Selectable } from 'kysely';
import { rowRetention } from '../../core/store/row-retention.ts';
import { bySlackId, type PoliciesOf } from '../../core/store/table-policy.ts';
import type { Tables } from '../../core/store/tables.ts';

/** The personal token of a coding client; one for each person. All times are ISO 8601 in UTC. */
interface TokenTable {
  owner: string;
  /** SHA-256 in hex. The token itself is not stored. */
  tokenHash: string;
  createdAt: string;
  expiresAt: string;
  /** A date in UTC; null if it was never used. */
  lastUsedOn: string | null;
}

/** Questions of one minute, by the Slack id of the person; empty: of everybody. */
interface QuestionCountTable {
  way: 'tool' | 'message';
  asker: string;
  minute: string;
  questions: number;
}

export type AskTables = { mcpTokens: TokenTable; questionCounts: QuestionCountTable };
export type AskDatabase = Kysely<Tables & AskTables>;
export type PersonalToken = Selectable<TokenTable>;

export const withAsk = (db: Kysely<Tables>): AskDatabase => db.withTables<AskTables>();

export const askPolicies: PoliciesOf<AskTables> = {
  mcpTokens: { what: 'tokens of coding clients', deleted: bySlackId('owner') },
  questionCounts: {
    what: 'numbers of questions in the last minutes',
    isPassing: true,
    deleted: bySlackId('asker'),
    retention: [
      rowRetention('sessions', { table: 'questionCounts', key: ['way', 'asker', 'minute'], column: 'minute' }),
    ],
  },
};
