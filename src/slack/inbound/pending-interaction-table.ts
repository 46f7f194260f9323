/** An acknowledged click or form that is not finished. */
export interface PendingInteractionTable {
  /** The key that also recognizes duplicates. */
  key: string;
  kind: 'click' | 'form';
  /** JSON: the parts of Slack's payload that are needed to resume. */
  payload: string;
  received_at: string;
  leased_until: string;
  attempts: number;
}

declare module '../../store/tables.ts' {
  interface Tables {
    pending_interactions: PendingInteractionTable;
  }
}
