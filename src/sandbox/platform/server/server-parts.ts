import type { Faults } from './faults.ts';
import type { Keys } from '../routes/keys.ts';
import type { RequestLog } from './request-log.ts';
import type { World } from '../model/world.ts';

export interface ServerParts {
  world: World;
  faults: Faults;
  keys: Keys;
  log: RequestLog;
}
