export interface HealthTables {
  /** One row: the random name of this store. */
  store_identity: { place: 'here'; id: string };
  /** One row for each process that uses the store now, or did until lately. */
  store_heartbeats: { process: string; beat_at: string; padding: string };
}
