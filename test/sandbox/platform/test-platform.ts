import { onTestFinished } from 'vitest';
import { type PlatformClient, createPlatformClient } from '../../../src/core/platform/client.ts';
import { type MovableClock, createMovableClock } from '../../../src/sandbox/demo/movable-clock.ts';
import {
  type PlatformSettings,
  type SimulatedPlatform,
  startPlatform,
} from '../../../src/sandbox/platform/platform.ts';

export const NOW = new Date('2026-11-20T10:00:00Z');
export const YESTERDAY = '2026-11-19';
export const PERIOD = { startDate: '2026-11-10', endDate: YESTERDAY };

export interface TestPlatform extends SimulatedPlatform {
  clock: MovableClock;
  /** A manager's client. */
  client: PlatformClient;
  /** Sends a bare request; without `key` as the manager, with `null` without a key. */
  ask: (path: string, options?: AskOptions) => Promise<Asked>;
}

interface AskOptions {
  method?: string;
  key?: string | null;
  body?: unknown;
}

interface Asked {
  status: number;
  headers: Headers;
  body: unknown;
}

/** A platform on a stopped clock, closed when the test ends. */
export async function startTestPlatform(settings: Partial<PlatformSettings> = {}): Promise<TestPlatform> {
  const clock = createMovableClock(NOW, { frozen: true });
  const platform = await startPlatform({ clock, people: 40, ...settings });
  const { baseUrl, appUrl, apiKeys } = platform;
  const client = createPlatformClient({ baseUrl, appUrl, apiKey: apiKeys.manager, clock });
  onTestFinished(async () => {
    await client.close();
    await platform.close();
  });
  const ask = async (path: string, { method = 'GET', key = apiKeys.manager, body }: AskOptions = {}) => {
    const headers: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` };
    const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
    const response = await fetch(baseUrl + path, { method, headers, ...(text !== undefined && { body: text }) });
    return { status: response.status, headers: response.headers, body: await response.json() };
  };
  return { ...platform, clock, client, ask };
}

/** A query string of a period. */
export const span = (startDate: string = YESTERDAY, endDate: string = startDate): string =>
  `?startDate=${startDate}&endDate=${endDate}`;

export function sum<T>(items: readonly T[], amount: (item: T) => number): number {
  return items.reduce((total, item) => total + amount(item), 0);
}
