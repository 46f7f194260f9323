/** A channel that gets readiness. */
export interface ReadinessWatchTable {
  channel: string;
  /** Of one repository, by its key; empty: of all. */
  repository: string;
  created_by: string;
  created_at: string;
}

/** The latest report of each repository that watches know of. */
interface ReadinessSeenTable {
  repository: string;
  report_id: string;
  /** JSON of a `Score`. */
  score: string;
  seen_at: string;
}

export type ReadinessTables = {
  readiness_watches: ReadinessWatchTable;
  readiness_seen: ReadinessSeenTable;
};
