import type { Metrics } from './metrics.ts';
import { createPlatformClient, type PlatformClient } from '../platform/client.ts';
import type { AppSettings } from './settings.ts';
import type { Pseudonyms } from '../base/privacy/pseudonyms.ts';
import type { KeyEvidence } from '../services.ts';

/** The client of the platform, of whose every request the metrics and the log are told, and what they show of its key. */
export function createObservedPlatform(
  { config, secrets, clock, log }: Pick<AppSettings, 'config' | 'secrets' | 'clock' | 'log'>,
  metrics: Metrics,
  pseudonyms: Pseudonyms,
): { platform: PlatformClient; keyEvidence: () => KeyEvidence } {
  let evidence: KeyEvidence = { refusedSince: undefined, acceptedAt: undefined };
  const note = (status: number | undefined) => {
    if (status === 401) evidence = { ...evidence, refusedSince: evidence.refusedSince ?? clock.now() };
    else if (status !== undefined && status < 400) evidence = { refusedSince: undefined, acceptedAt: clock.now() };
  };
  const platform = createPlatformClient({
    baseUrl: config.platformBaseUrl,
    appUrl: config.platformAppUrl,
    apiKey: secrets.platformApiKey,
    clock,
    pseudonyms,
    observe: (event) => {
      const outcome = String(event.status ?? event.code ?? 'unknown');
      metrics.platformRequest({ path: event.path, outcome, durationMs: event.durationMs });
      log.debug({ ...event }, 'A request to the platform');
      note(event.status);
    },
  });
  return { platform, keyEvidence: () => evidence };
}
