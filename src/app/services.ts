import { createDayChecks, type SharedChecks } from '../core/analytics/check-days.ts';
import { createAnalyticsDays } from '../core/analytics/days.ts';
import { noCheckpoint } from '../core/base/checkpoint.ts';
import { readPlannedSums } from '../features/digests/planned-sums.ts';
import { createDisclosureRecord } from '../features/disclosure/disclosure-log.ts';
import type { Services } from '../core/services.ts';
import { readGrantedScopes } from '../core/slack/client/auth-test.ts';
import type { SlackClients } from '../core/slack/client/clients.ts';
import { createChannels } from '../core/slack/outbound/channels/channels.ts';
import { createFiles } from '../core/slack/outbound/files.ts';
import { claimKey, forgetEvent, markSeen, readSeenAt } from '../core/slack/inbound/seen-events.ts';
import type { Database } from '../core/store/tables.ts';
import type { Store } from '../core/store/store.ts';
import { createCapabilities } from '../core/platform/capabilities/capabilities.ts';
import { createReadingRecord } from '../core/watches/source-readings.ts';
import { observeSources } from './observed-sources.ts';
import type { AppSettings } from './settings.ts';

const running = (check: string) => `checking:${check}`;
const done = (check: string) => `checked:${check}`;

/** The store shares the checks of days among replicas. */
export function sharedChecks(db: Database): SharedChecks {
  return {
    lastAt: (key) => readSeenAt(db, done(key)),
    claim: (key, now, leaseMs) => claimKey(db, running(key), now, leaseMs),
    finish: async (key, at) => {
      if (at) await markSeen(db, done(key), at);
      await forgetEvent(db, running(key));
    },
  };
}

export function createServices({
  settings: { config, clock, log, checkpoint = noCheckpoint },
  network,
  store: { db },
  platform: platformClient,
  clients,
  people,
  erased,
  replica,
  readDataGap,
}: Pick<Services, 'network' | 'platform' | 'people' | 'erased' | 'replica' | 'readDataGap'> & {
  settings: AppSettings;
  store: Store;
  clients: SlackClients;
}): Services {
  const { lookups } = clients;
  const { allowSharedChannels: allowShared } = config;
  const platform = observeSources(platformClient, createReadingRecord({ db, clock, log }));
  const days = createAnalyticsDays({ platform, db, clock, log, peopleDays: config.retentionDays.people });
  return {
    config,
    db,
    network,
    plannedSums: () => readPlannedSums({ db, people }),
    platform,
    capabilities: createCapabilities({ platform, db, clock, log }),
    erased,
    days,
    checks: createDayChecks({ days, clock, shared: sharedChecks(db) }),
    people,
    grantedScopes: () => readGrantedScopes(lookups),
    channels: createChannels({ lookups, clock, allowShared }),
    files: createFiles(clients, createDisclosureRecord({ db, clock }), erased),
    clock,
    log,
    random: Math.random,
    replica,
    readDataGap,
    checkpoint,
  };
}
