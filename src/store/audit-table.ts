/** Who did what, and when: one row for each action, written in its transaction and never changed. */
export interface AuditTable {
  /** What it is about: `limits:k7m2x`. */
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
