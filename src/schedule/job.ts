/** Work that is looked at every minute, by every replica: it must let the database decide who does it. */
export interface Job {
  name: string;
  run(): Promise<void>;
}
