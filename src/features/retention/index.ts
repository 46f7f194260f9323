import { deliveryRetention } from '../../core/outbox/forget.ts';
import type { DeliveryKind } from '../../core/outbox/attempts/delivery-outcomes.ts';
import type { Feature } from '../../core/feature.ts';
import type { Services } from '../../core/services.ts';
import type { TablePolicies } from '../../core/store/table-policy.ts';
import { createPruning, type PruningDeps } from './prune.ts';

export type RetentionDeps = Pick<Services, 'config' | 'db' | 'clock' | 'log' | 'checkpoint'> &
  Pick<PruningDeps, 'onRemoved'> & {
    tables: TablePolicies;
    deliveryKinds: Readonly<Record<string, DeliveryKind>>;
  };

/** Deletes expired data once a day, according to `RETENTION_DAYS`. */
export function createRetentionFeature(deps: RetentionDeps): Feature {
  const { config, tables, deliveryKinds } = deps;
  const declared = Object.values(tables).flatMap(({ retention }) => retention ?? []);
  // Deliveries go last, because other data references them.
  const retentions = () => [...declared, deliveryRetention(deliveryKinds)];
  const run = createPruning({ ...deps, days: config.retentionDays, retentions });
  return {
    name: 'retention',
    jobs: [
      {
        name: 'delete-what-was-kept-long-enough',
        cron: '* * * * *',
        purpose: 'deletes by `RETENTION_DAYS` once a day',
        run,
      },
    ],
  };
}
