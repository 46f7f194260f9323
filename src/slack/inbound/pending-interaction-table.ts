/** A click or form that waits for its acknowledgement, or was acknowledged and is not finished. */
export interface PendingInteractionTable {
  /** The same that recognizes duplicates. */
  key: string;
  kind: 'click' | 'form';
  /** What Slack sent, as far as it is needed to go on: JSON. */
  payload: string;
  received_at: string;
  leased_until: string;
  /** 0 until it is acknowledged: it may have been refused because this row was written too late. */
  attempts: number;
}

declare module '../../store/tables.ts' {
  interface Tables {
    pending_interactions: PendingInteractionTable;
  }
}
