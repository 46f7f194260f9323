import type { Config, Secrets } from '../base/config.ts';
import type { Logger } from '../base/log.ts';
import type { Metrics } from './metrics.ts';
import { createPlatformClient, type PlatformClient } from '../platform/client.ts';
import type { Clock } from '../base/clock.ts';

/** The client of the platform, of whose every request the metrics and the log are told. */
export function createObservedPlatform(
  { config, secrets, clock, log }: { config: Config; secrets: Secrets; clock: Clock; log: Logger },
  metrics: Metrics,
): PlatformClient {
  return createPlatformClient({
    baseUrl: config.platformBaseUrl,
    appUrl: config.platformAppUrl,
    apiKey: secrets.platformApiKey,
    clock,
    observe: (event) => {
      const outcome = String(event.status ?? event.code ?? 'unknown');
      metrics.platformRequest({ path: event.path, outcome, durationMs: event.durationMs });
      log.debug({ ...event }, 'A request to the platform');
    },
  });
}
