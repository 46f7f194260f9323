import type { SilenceReason } from './silence.ts';

declare module './tables.ts' {
  interface Tables {
    /** One row for each process that uses the store now, or did until lately. */
    store_heartbeats: { process: string; beat_at: string; padding: string };
    /** At most one row: the last time of which the store may lack what was written. */
    store_silences: { place: 'here'; reason: SilenceReason; since: string; until: string };
  }
}
