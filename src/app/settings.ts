import type { Checkpoint } from '../base/checkpoint.ts';
import type { Config, Secrets } from '../base/settings/config.ts';
import type { Logger } from '../base/log.ts';
import type { DeliveryKind } from '../outbox/attempt.ts';
import type { OutboxDeps } from '../outbox/worker.ts';
import type { openStore } from '../store/database.ts';
import type { Clock } from '../base/time/clock.ts';

export interface AppSettings {
  config: Config;
  secrets: Secrets;
  clock: Clock;
  /** What leases and due times follow in place of the store's own time: for a clock that is moved. */
  storeTime?: () => Date;
  /** How long the outbox waits for things; tests hand in shorter ones. */
  outboxTimes?: OutboxDeps['times'];
  log: Logger;
  /** Nothing that the process can do by itself helps any longer: it should end with this sentence, for its supervisor to restart it. */
  onFatal: (reason: string) => void;
  /** How the store is opened; the crash tests keep what they close under a bot that stands still. */
  openStore?: typeof openStore;
  checkpoint?: Checkpoint;
  /** Called with what each attempt at a delivery came to. */
  onSettled?: OutboxDeps['onSettled'];
}

export interface RunningApp {
  /** Where `/healthz`, `/readyz` and Slack's requests are answered. */
  port: number;
  /** Where `/metrics` is answered. */
  metricsPort: number;
  /** Where events of clients arrive, if they are taken. */
  hooksPort: number | undefined;
  /** Every kind of message that it sends, by name; a test sends each of them. */
  messageKinds: Readonly<Record<string, DeliveryKind>>;
  /** Whether nothing that was acknowledged is worked on, and nothing is to be delivered now. */
  isIdle(): Promise<boolean>;
  /** Finishes what is running, then closes everything. */
  stop(): Promise<void>;
}
