import type { Guards } from './guards.ts';
import { historyFault } from '../features/controls/poll/poll-watch.ts';
import type { Database } from '../core/store/tables.ts';
import { runCheck, type Check } from '../core/http/health.ts';
import { readSourceFault } from '../features/status/source-watches.ts';
import type { PartHealth } from '../features/status/status-view.ts';
import type { People } from '../core/slack/people/people.ts';
import { groupFault } from '../core/slack/people/settings-groups.ts';
import type { Clock } from '../core/base/time/clock.ts';
import { createCache } from '../core/base/cache.ts';
import type { SlackClients } from '../core/slack/client/clients.ts';
import type { SlackConnection } from '../core/slack/receivers/connection.ts';
import type { ObservedPlatform } from './observed-platform.ts';

/** How long the answer of a check of the platform is reused. */
const CHECK_LIFE_MS = 60_000;

export async function readHealth(checks: readonly OwnCheck[]): Promise<PartHealth[]> {
  return Promise.all(checks.map(async (check) => ({ name: check.name, fault: await runCheck(check) })));
}

type OwnCheck = Check & Pick<PartHealth, 'name'>;

export function checksOf(deps: {
  guards: Guards;
  connection: SlackConnection;
  clients: Pick<SlackClients, 'tokenFault'>;
  askPlatform: ObservedPlatform['ask'];
  people: Pick<People, 'groupEvidence'>;
  db: Database;
  clock: Clock;
}): OwnCheck[] {
  const startedAt = deps.clock.now();
  const platform = createCache(deps.clock, CHECK_LIFE_MS, () => deps.askPlatform());
  return [
    { name: 'slack', isLocal: true, run: () => Promise.resolve(deps.clients.tokenFault() ?? deps.connection.fault()) },
    { name: 'platform', run: () => platform.get(undefined) },
    { name: 'store', run: () => deps.guards.monitor.check() },
    {
      name: 'roles',
      isLocal: true,
      isQuiet: true,
      isWarning: true,
      run: () => Promise.resolve(groupFault(deps.people.groupEvidence())),
    },
    { name: 'controls', isQuiet: true, isWarning: true, run: () => historyFault(deps, startedAt) },
    { name: 'figures', isQuiet: true, isWarning: true, run: () => readSourceFault(deps, 'figures') },
    { name: 'readiness', isQuiet: true, isWarning: true, run: () => readSourceFault(deps, 'readiness') },
    { name: 'work', isLocal: true, isQuiet: true, run: () => Promise.resolve(deps.guards.watchdog.fault()) },
  ];
}
