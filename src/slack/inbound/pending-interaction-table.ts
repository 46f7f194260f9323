/** A click or form that was acknowledged and is not finished. */
export interface PendingInteractionTable {
  /** The same that recognizes duplicates. */
  key: string;
  kind: 'click' | 'form';
  /** What Slack sent, as far as it is needed to go on: JSON. */
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
