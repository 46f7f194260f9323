import type { NO_OWN_LIMIT } from '../core/amount-rule.ts';

/** What was typed after `/limits request`. */
export interface AskWords {
  people: readonly string[];
  emails: readonly string[];
  amount: number | typeof NO_OWN_LIMIT | undefined;
  /** An amount without a name is a request for oneself. */
  isOwn: boolean;
}
