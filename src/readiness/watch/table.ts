/** The latest report of each repository that watches know of. */
interface ReadinessSeenTable {
  repository: string;
  report_id: string;
  /** JSON of a `Score`. */
  score: string;
  seen_at: string;
}

export type ReadinessTables = {
  readiness_seen: ReadinessSeenTable;
};
