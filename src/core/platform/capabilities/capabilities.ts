import type { Clock } from '../../base/time/clock.ts';
import type { Logger } from '../../base/log.ts';
import type { Database } from '../../store/tables.ts';
import type { PlatformClient } from '../client.ts';
import type { LimitsInForce } from '../endpoints/shown-limits.ts';
import { isPlatformError } from '../errors.ts';
import type { CallOptions } from '../transport/request.ts';
import { answerOf, isDue, nextCapability, type Answer, type Capability } from './capability.ts';
import { readCapability, storeCapability } from './capability-store.ts';

/** Knows which optional operations the platform has. Each reading of one says so again. */
export interface Capabilities {
  /** Undefined until it was asked for the first time. */
  limits(): Promise<Capability | undefined>;
  /** Reads the limits in force, and stores what the answer says about the operation. @throws PlatformError */
  readLimits(options?: CallOptions): Promise<LimitsInForce>;
  /** Asks at the start of the process, and then if the last answer is old. A refusal is stored and not thrown. */
  askIfDue(): Promise<void>;
}

export function createCapabilities({
  platform,
  db,
  clock,
  log,
}: {
  platform: Pick<PlatformClient, 'shownLimits'>;
  db: Database;
  clock: Clock;
  log: Logger;
}): Capabilities {
  const record = async (answer: Answer) => {
    const before = await readCapability(db, 'limits');
    const after = nextCapability(before, answer, clock.now());
    if (before?.state !== after.state)
      log.info({ operation: 'limits', before: before?.state, ...after }, 'What the platform can do has changed');
    await storeCapability(db, 'limits', before, after);
  };
  const readLimits = async (options?: CallOptions) => {
    try {
      const limits = await platform.shownLimits.read(options);
      await record({ kind: 'read', reason: undefined });
      return limits;
    } catch (error) {
      // A caller that gives up says nothing about the platform.
      if (isPlatformError(error) && error.code !== 'cancelled') await record(answerOf(error));
      throw error;
    }
  };
  let wasAsked = false;
  return {
    limits: () => readCapability(db, 'limits'),
    readLimits,
    askIfDue: async () => {
      const known = await readCapability(db, 'limits');
      // Since the last process, another platform may be behind the same address.
      if (wasAsked && known && !isDue(known, clock.now())) return;
      wasAsked = true;
      await readLimits().catch((error: unknown) => {
        if (!isPlatformError(error)) throw error;
      });
    },
  };
}
