import type { Config, Secrets } from '../../core/base/settings/config.ts';
import type { Network } from '../../core/http/network.ts';
import { createPlatformClient } from '../../core/platform/client.ts';
import { isPlatformError, type PlatformError, type PlatformErrorCode } from '../../core/platform/errors.ts';
import { systemClock } from '../../core/base/time/clock.ts';
import { platformSentence } from '../../core/slack/blocks/faults.ts';
import { dayOf, plusDays } from '../../core/base/time/calendar.ts';
import { fault, ok, type Finding } from './finding.ts';

const DEADLINE_MS = 12_000;
const REQUEST_TIMEOUT_MS = 6_000;

/** `undefined` means success. */
export interface PlatformReading {
  analytics: PlatformError | undefined;
  readiness: PlatformError | undefined;
  /** The proxies on the way to both addresses. */
  proxies: { base: string | undefined; app: string | undefined };
}

/** Reads one published day, which needs the key of a Manager or Owner, and one readiness report. */
export async function readPlatform(
  config: Config,
  secrets: Secrets,
  network: Network,
  now: Date,
): Promise<PlatformReading> {
  const client = createPlatformClient({
    baseUrl: config.platformBaseUrl,
    appUrl: config.platformAppUrl,
    apiKey: secrets.platformApiKey,
    clock: systemClock,
    network,
    deadlineMs: DEADLINE_MS,
    requestTimeoutMs: REQUEST_TIMEOUT_MS,
  });
  const day = plusDays(dayOf(now), -2);
  try {
    const [analytics, readiness] = await Promise.all([
      errorOf(client.analytics.activity({ startDate: day, endDate: day })),
      errorOf(client.readiness.reports({ limit: 1 })),
    ]);
    const { platformBaseUrl, platformAppUrl } = config;
    const proxies = { base: network.proxyOf(platformBaseUrl), app: network.proxyOf(platformAppUrl) };
    return { analytics, readiness, proxies };
  } finally {
    await client.close();
  }
}

async function errorOf(reading: Promise<unknown>): Promise<PlatformError | undefined> {
  try {
    await reading;
    return undefined;
  } catch (error) {
    if (isPlatformError(error)) return error;
    throw error;
  }
}

/** Decides from the answers which of the three settings is at fault. */
export function judgePlatform({ analytics, readiness, proxies }: PlatformReading): Finding[] {
  const isKeyRefused = [analytics, readiness].some((error) => error?.code === 'unauthorized');
  return [
    judgeAddress('PLATFORM_BASE_URL', 'It answers analytics.', analytics, proxies.base),
    judgeAddress('PLATFORM_APP_URL', 'It answers readiness reports.', readiness, proxies.app),
    ...(isKeyRefused ? [fault('PLATFORM_API_KEY', KEY_REFUSED)] : []),
    ...(!isKeyRefused && analytics?.code === 'forbidden' ? [fault('PLATFORM_API_KEY', KEY_FORBIDDEN)] : []),
    ...(analytics === undefined ? [ok('PLATFORM_API_KEY', 'It belongs to a Manager or Owner.')] : []),
  ];
}

const KEY_REFUSED =
  'The platform does not accept it: generate one as a Manager or Owner under {PLATFORM_APP_URL}/settings/api-keys.';
const KEY_FORBIDDEN =
  'It belongs to a member or guest: generate one as a Manager or Owner under {PLATFORM_APP_URL}/settings/api-keys.';

const KEY_CODES = new Set<PlatformErrorCode>(['unauthorized', 'forbidden']);
const SILENT_CODES = new Set<PlatformErrorCode>(['network', 'timeout', 'cut_body']);
const STRANGER_CODES = new Set<PlatformErrorCode>(['not_found', 'not_json', 'empty_body', 'unexpected_status']);
const nothingAnswers = (proxy: string | undefined) =>
  proxy === undefined
    ? 'Nothing answers there: check the address, and the network between here and the platform.'
    : `Nothing answers there through the proxy ${proxy}: check the address, and whether the proxy reaches the platform.`;
const STRANGER_ANSWERS = 'This address is not the platform’s API. Correct it.';

function judgeAddress(
  setting: string,
  well: string,
  error: PlatformError | undefined,
  proxy: string | undefined,
): Finding {
  if (error === undefined) return ok(setting, well);
  if (KEY_CODES.has(error.code)) return ok(setting, 'It answers, but refuses the key.');
  if (SILENT_CODES.has(error.code))
    return fault(setting, error.advice === undefined ? nothingAnswers(proxy) : `${error.advice}.`);
  if (STRANGER_CODES.has(error.code)) return fault(setting, STRANGER_ANSWERS);
  return fault(setting, platformSentence(error));
}
