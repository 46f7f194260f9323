import { peopleRetention } from '../analytics/reading/roll-up.ts';
import { deliveryRetention } from '../outbox/forget.ts';
import type { DeliveryKind } from '../outbox/attempts/delivery-outcomes.ts';
import type { Feature } from '../feature.ts';
import type { Services } from '../services.ts';
import { auditRetention } from '../store/audit.ts';
import type { Retention } from '../store/row-retention.ts';
import { createPruning, type PruningDeps } from './prune.ts';

export type RetentionDeps = Pick<Services, 'config' | 'db' | 'clock' | 'log' | 'checkpoint'> &
  Pick<PruningDeps, 'onRemoved'> & {
    /** Data that features keep for a limited time; read at each run. */
    retentions: () => readonly Retention[];
    deliveryKinds: () => Readonly<Record<string, DeliveryKind>>;
  };

/** Deletes expired data once a day, according to `RETENTION_DAYS`. */
export function createRetentionFeature(deps: RetentionDeps): Feature {
  const { config, retentions, deliveryKinds } = deps;
  // Data of features goes first, because it references deliveries.
  const all = () => [...retentions(), peopleRetention, deliveryRetention(deliveryKinds()), auditRetention];
  const run = createPruning({ ...deps, days: config.retentionDays, retentions: all });
  return { name: 'retention', jobs: [{ name: 'delete-what-was-kept-long-enough', run }] };
}
