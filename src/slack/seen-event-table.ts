export interface SeenEventTable {
  key: string;
  seen_at: string;
}

export interface SeenEventTables {
  seen_events: SeenEventTable;
}
