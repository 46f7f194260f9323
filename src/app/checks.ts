import type { Guards } from './guards.ts';
import { runCheck, type Check } from '../http/health.ts';
import type { PartHealth } from '../status/view.ts';
import type { PlatformClient } from '../platform/client.ts';
import { isPlatformError } from '../platform/errors.ts';
import type { Clock } from '../base/time/clock.ts';
import { createCache } from '../base/cache.ts';
import type { SlackClients } from '../slack/connection/clients.ts';
import type { SlackConnection } from '../slack/connection/connection.ts';
import { platformSentence } from '../slack/blocks/faults.ts';
import { dayOf, plusDays } from '../base/time/calendar.ts';

/** How long the answer of a check of the platform is reused. */
const CHECK_LIFE_MS = 60_000;

export async function readHealth(checks: readonly OwnCheck[]): Promise<PartHealth[]> {
  return Promise.all(checks.map(async (check) => ({ name: check.name, fault: await runCheck(check) })));
}

type OwnCheck = Check & Pick<PartHealth, 'name'>;

/** The checks of `/readyz`: Slack, the platform and the store. */
export function checksOf(deps: {
  guards: Guards;
  connection: SlackConnection;
  clients: Pick<SlackClients, 'tokenFault'>;
  platform: PlatformClient;
  clock: Clock;
}): OwnCheck[] {
  const platform = createCache(deps.clock, CHECK_LIFE_MS, (day: string) => checkPlatform(deps.platform, day));
  return [
    { name: 'slack', isLocal: true, run: () => Promise.resolve(deps.clients.tokenFault() ?? deps.connection.fault()) },
    { name: 'platform', run: () => platform.get(plusDays(dayOf(deps.clock.now()), -2)) },
    { name: 'store', run: () => deps.guards.monitor.check() },
    { name: 'work', isLocal: true, isQuiet: true, run: () => Promise.resolve(deps.guards.watchdog.fault()) },
  ];
}

async function checkPlatform(platform: PlatformClient, day: string): Promise<string | undefined> {
  try {
    await platform.analytics.activity({ startDate: day, endDate: day });
    return undefined;
  } catch (error) {
    return isPlatformError(error) ? platformSentence(error) : 'failed';
  }
}
