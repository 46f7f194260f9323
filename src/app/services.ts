import { randomUUID } from 'node:crypto';
import { createDayChecks } from '../analytics/check-days.ts';
import { createAnalyticsDays } from '../analytics/days.ts';
import { noCheckpoint } from '../base/checkpoint.ts';
import { createDisclosureRecord } from '../disclosure/disclosure-log.ts';
import type { Services } from '../services.ts';
import type { SlackClients } from '../slack/connection/clients.ts';
import type { BotIdentity } from '../slack/connection/identity.ts';
import { createChannels } from '../slack/outbound/channels/channels.ts';
import { createFiles } from '../slack/outbound/files.ts';
import { createPeople } from '../slack/people/people.ts';
import type { Store } from '../store/store.ts';
import type { AppSettings } from './settings.ts';

export function createServices({
  settings: { config, clock, log, checkpoint = noCheckpoint },
  store: { db },
  platform,
  clients,
  identity: { teamId },
  erased,
  readDataGap,
}: Pick<Services, 'platform' | 'erased' | 'readDataGap'> & {
  settings: AppSettings;
  store: Store;
  clients: SlackClients;
  identity: BotIdentity;
}): Services {
  const { lookups } = clients;
  const { admins, managers, peopleRole, allowSharedChannels: allowShared } = config;
  const days = createAnalyticsDays({ platform, db, clock, log, peopleDays: config.retentionDays.people });
  return {
    config,
    db,
    platform,
    erased,
    days,
    checks: createDayChecks({ days, clock }),
    people: createPeople({ lookups, clock, log, teamId, admins, managers, peopleRole, erased }),
    channels: createChannels({ lookups, clock, allowShared }),
    files: createFiles(clients, createDisclosureRecord({ db, clock }), erased),
    clock,
    log,
    random: Math.random,
    replica: randomUUID(),
    readDataGap,
    checkpoint,
  };
}
