import type { Config, Secrets } from '../config.ts';
import type { PollStep } from '../controls/core/deps.ts';
import type { CreationStep } from '../computers/core/deps.ts';
import type { LimitStep } from '../limits/core/deps.ts';
import type { Logger } from '../log.ts';
import type { OutboxDeps } from '../outbox/worker.ts';
import type { Clock } from '../clock.ts';

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
  /** Called at each step of each delivery; the crash tests end the process there. */
  observeOutbox?: OutboxDeps['observe'];
  /** Likewise of each step of the creation of a computer. */
  observeCreation?: (step: CreationStep) => void;
  /** Called at each step of reading the history of the controls; likewise. */
  observeControls?: (step: PollStep) => void;
  /** Called at each step between a decision about limits and its card; likewise. */
  observeLimits?: (step: LimitStep) => void;
}

export interface RunningApp {
  /** Where `/healthz`, `/readyz` and Slack's requests are answered. */
  port: number;
  /** Where `/metrics` is answered. */
  metricsPort: number;
  /** Finishes what is running, then closes everything. */
  stop(): Promise<void>;
}
