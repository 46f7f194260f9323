/** One row per action, written in the transaction of the action and never changed. */
export interface AuditTable {
  /** `limits:k7m2x`. */
  about: string;
  /** 0, 1, 2 …: entries may share a millisecond. */
  position: number;
  at: string;
  /** A Slack id, or `quartermaster`. */
  actor: string;
  action: string;
  detail: string | null;
}

declare module './tables.ts' {
  interface Tables {
    audit: AuditTable;
  }
}
