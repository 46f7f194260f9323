import { onTestFinished } from 'vitest';
import {
  type PlatformClient,
  type PlatformClientSettings,
  createPlatformClient,
} from '../../../src/core/platform/client.ts';
import { PlatformError } from '../../../src/core/platform/errors.ts';
import type { AttemptEvent } from '../../../src/core/platform/transport/request.ts';
import type { Clock } from '../../../src/core/base/time/clock.ts';

export const NOW = new Date('2026-11-20T10:00:00Z');
export const PERIOD = { startDate: '2026-11-12', endDate: '2026-11-18' };
export const TEST_KEY = 'qm-test-key-5f1c0d9e';

export interface EagerClock extends Clock {
  /** Every requested wait, in milliseconds. */
  waits: number[];
}

/** A clock on which every wait ends at once, and advances it by its length. */
export function createEagerClock(start: Date = NOW): EagerClock {
  let nowMs = start.getTime();
  const waits: number[] = [];
  return {
    waits,
    now: () => new Date(nowMs),
    sleep: async (delayMs, signal) => {
      signal?.throwIfAborted();
      waits.push(delayMs);
      nowMs += delayMs;
    },
    eachMinute: () => () => {},
  };
}

export interface TestClient extends PlatformClient {
  waits: number[];
  events: AttemptEvent[];
}

/** A client of that address on an eager clock, closed when the test ends. */
export function createTestClient(address: string, settings: Partial<PlatformClientSettings> = {}): TestClient {
  const clock = createEagerClock();
  const events: AttemptEvent[] = [];
  const client = createPlatformClient({
    baseUrl: address,
    appUrl: address,
    apiKey: TEST_KEY,
    clock,
    random: () => 0.5,
    observe: (event) => void events.push(event),
    ...settings,
  });
  onTestFinished(() => client.close());
  return { ...client, waits: clock.waits, events };
}

/** The PlatformError that a call ends with; any other end fails the test. */
export async function failureOf(call: Promise<unknown>): Promise<PlatformError> {
  const outcome = await call.then(
    (value) => new Error(`no failure, but ${JSON.stringify(value)?.slice(0, 200)}`),
    (error: unknown) => error,
  );
  if (outcome instanceof PlatformError) return outcome;
  throw outcome;
}

/** All items that a generator yields. */
export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** All items of all pages. */
export const collectPages = async <T>(pages: AsyncIterable<readonly T[]>): Promise<T[]> =>
  (await collect(pages)).flat();

export const EMPTY_ENVELOPE = {
  data: [],
  meta: { org_id: 'org', start_date: PERIOD.startDate, end_date: PERIOD.endDate },
};

export const A_COMPUTER = { id: 'c1', name: 'build', providerType: 'hosted', createdAt: 1 };
