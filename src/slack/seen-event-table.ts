export interface SeenEventTable {
  key: string;
  seen_at: string;
}

declare module '../store/tables.ts' {
  interface Tables {
    seen_events: SeenEventTable;
  }
}
