import type { Checkpoint } from '../core/base/checkpoint.ts';
import type { Config, Secrets } from '../core/base/settings/config.ts';
import type { Logger } from '../core/base/log.ts';
import type { DeliveryKind } from '../core/outbox/attempts/delivery-outcomes.ts';
import type { OutboxDeps } from '../core/outbox/attempts/worker.ts';
import type { Job } from '../core/schedule/job.ts';
import type { openStore } from '../core/store/database.ts';
import type { Clock } from '../core/base/time/clock.ts';

export interface AppSettings {
  config: Config;
  secrets: Secrets;
  clock: Clock;
  /** Replaces the store's own time for leases and due times, if the clock is moved. */
  storeTime?: () => Date;
  /** The waits of the outbox; tests pass shorter ones. */
  outboxTimes?: OutboxDeps['times'];
  log: Logger;
  /** The process cannot recover by itself: it should end with this sentence, so that its supervisor restarts it. */
  onFatal: (reason: string) => void;
  /** Opens the store; the crash tests pass one that they can close under a suspended bot. */
  openStore?: typeof openStore;
  checkpoint?: Checkpoint;
  onSettled?: OutboxDeps['onSettled'];
}

export interface RunningApp {
  /** The port of `/healthz`, `/readyz` and Slack's requests. */
  port: number;
  metricsPort: number;
  /** Undefined if events of clients are off. */
  hooksPort: number | undefined;
  toolsPort: number | undefined;
  /** Every job, in the order of their runs; docs/operating.md lists them. */
  jobs: readonly Job[];
  /** Every kind of message by name; a test sends each of them. */
  messageKinds: Readonly<Record<string, DeliveryKind>>;
  /** Whether no acknowledged interaction is running and no delivery is due. */
  isIdle(): Promise<boolean>;
  /** Finishes what is running, then closes everything. */
  stop(): Promise<void>;
}
