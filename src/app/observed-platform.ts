import { dayOf, plusDays } from '../core/base/time/calendar.ts';
import { isPlatformError, type PlatformErrorCode } from '../core/platform/errors.ts';
import type { Job } from '../core/schedule/job.ts';
import type { Metrics } from './metrics.ts';
import { createPlatformClient, type PlatformClient } from '../core/platform/client.ts';
import type { AppSettings } from './settings.ts';
import type { Pseudonyms } from '../core/base/privacy/pseudonyms.ts';
import { platformSentence } from '../core/slack/blocks/faults.ts';
import type { KeyEvidence } from '../core/services.ts';

/** Faults of a request rather than of the platform. */
const OWN_FAULTS: ReadonlySet<PlatformErrorCode> = new Set([
  'not_found',
  'invalid_request',
  'conflict',
  'invalid_argument',
  'cancelled',
]);

const noFault = () => undefined;

export interface ObservedPlatform {
  platform: PlatformClient;
  keyEvidence: () => KeyEvidence;
  /** @returns what is wrong with the platform, in a sentence; nothing when it answers */
  ask: () => Promise<string | undefined>;
  /** Sends the platform a request if its last answer was a fault, so that its recovery is noticed. */
  recoveryJob: Job;
}

/**
 * Each request counts in the metrics, the log, the evidence about the key, and the state of the platform.
 *
 * @param onRecovered called when a request succeeds after one that failed, and once more within the minute after that
 */
export function createObservedPlatform(
  { config, secrets, clock, log }: Pick<AppSettings, 'config' | 'secrets' | 'clock' | 'log'>,
  metrics: Metrics,
  pseudonyms: Pseudonyms,
  onRecovered: () => void,
): ObservedPlatform {
  let isFailing = false;
  let hasJustRecovered = false;
  const recover = () => {
    hasJustRecovered = true;
    onRecovered();
  };
  const judge = (code: PlatformErrorCode | undefined) => {
    if (code !== undefined) {
      isFailing ||= !OWN_FAULTS.has(code);
      return;
    }
    if (isFailing) recover();
    isFailing = false;
  };
  let evidence: KeyEvidence = { refusedSince: undefined, acceptedAt: undefined };
  const recordStatus = (status: number | undefined) => {
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
      recordStatus(event.status);
      judge(event.code);
    },
  });
  const ask = () => {
    const day = plusDays(dayOf(clock.now()), -2);
    const response = platform.analytics.activity({ startDate: day, endDate: day });
    return response.then(noFault, (error: unknown) => (isPlatformError(error) ? platformSentence(error) : 'failed'));
  };
  const askWhileItFails = async () => {
    if (!isFailing) {
      // Work that was using the platform at its recovery may have failed since.
      if (hasJustRecovered) onRecovered();
      hasJustRecovered = false;
      return;
    }
    // Its outcome is judged like that of any request.
    await ask();
  };
  return {
    platform,
    keyEvidence: () => evidence,
    ask,
    recoveryJob: {
      name: 'ask-failing-platform',
      cron: '* * * * *',
      purpose: 'asks a platform that fails, to notice when it recovers',
      run: askWhileItFails,
    },
  };
}
