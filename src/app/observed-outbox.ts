import { noCheckpoint } from '../core/base/checkpoint.ts';
import type { AppSettings } from './settings.ts';
import type { Metrics } from './observed-platform.ts';
import { createOutbox, type Outbox, type OutboxDeps } from '../core/outbox/attempts/worker.ts';
import type { Channels } from '../core/slack/outbound/channels/channels.ts';
import type { ChartSupport } from '../core/slack/outbound/safe-message.ts';
import type { SlackClients } from '../core/slack/client/clients.ts';
import type { BotIdentity } from '../core/slack/client/identity.ts';
import { createPoster } from '../core/slack/outbound/poster.ts';
import type { Store } from '../core/store/store.ts';

export function createObservedOutbox(deps: {
  settings: Pick<AppSettings, 'clock' | 'log' | 'outboxTimes' | 'checkpoint' | 'onSettled'>;
  store: Store;
  clients: SlackClients;
  identity: BotIdentity;
  kinds: OutboxDeps['kinds'];
  metrics: Metrics;
  charts: ChartSupport;
  channels: Channels;
  replica: string;
  onTurn: OutboxDeps['onTurn'];
}): Outbox {
  const { settings, store, clients, identity, metrics, charts, channels } = deps;
  const { log, clock } = settings;
  return createOutbox({
    db: store.db,
    engine: store.engine,
    commits: store.commits,
    clock,
    poster: createPoster({
      posting: clients.posting,
      lookups: clients.lookups,
      botUserId: identity.botUserId,
      charts,
      channels,
      log,
    }),
    kinds: deps.kinds,
    log,
    replica: deps.replica,
    times: settings.outboxTimes,
    onTurn: deps.onTurn,
    checkpoint: settings.checkpoint ?? noCheckpoint,
    onSettled: (delivery, settlement) => {
      metrics.delivery(settlement.state);
      settings.onSettled?.(delivery, settlement);
    },
  });
}
