import type { Clock } from '../clock.ts';
import type { EventLog } from './model/event-log.ts';
import type { Faults } from './model/faults.ts';
import type { Gateway } from './transport/gateway.ts';
import type { Identifiers } from './model/identifiers.ts';
import type { Tickets } from './model/tickets.ts';
import type { TrafficLog } from './model/traffic.ts';
import type { Workspace } from './model/workspace.ts';

export interface Sandbox {
  clock: Clock;
  identifiers: Identifiers;
  workspace: Workspace;
  log: EventLog;
  traffic: TrafficLog;
  faults: Faults;
  tickets: Tickets;
  gateway: Gateway;
  subscribedEvents: ReadonlySet<string>;
  /** `http://127.0.0.1:PORT`, without a trailing slash. */
  address(): string;
}
