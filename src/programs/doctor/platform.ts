import type { Config, Secrets } from '../../core/base/settings/config.ts';
import type { Network } from '../../core/http/network.ts';
import { createPlatformClient } from '../../core/platform/client.ts';
import { isPlatformError, type PlatformError, type PlatformErrorCode } from '../../core/platform/errors.ts';
import { systemClock } from '../../core/base/time/clock.ts';
import { answerOf } from '../../core/platform/capabilities/capability.ts';
import { READINESS_PLACES } from '../../core/platform/endpoints/readiness-place.ts';
import { statedSentence } from '../../core/slack/blocks/faults.ts';
import { dayOf, plusDays } from '../../core/base/time/calendar.ts';
import { fault, ok, warning, type Finding } from './finding.ts';

const DEADLINE_MS = 12_000;
const REQUEST_TIMEOUT_MS = 6_000;

/** `undefined` means success. */
export interface PlatformReading {
  analytics: PlatformError | undefined;
  readiness: PlatformError | undefined;
  limits: PlatformError | undefined;
  roster: PlatformError | undefined;
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
    const [analytics, readiness, limits, roster] = await Promise.all([
      errorOf(client.analytics.activity({ startDate: day, endDate: day })),
      errorOf(client.readiness.reports({ limit: 1 })),
      errorOf(client.shownLimits.read()),
      errorOf(client.roster.read()),
    ]);
    const { platformBaseUrl, platformAppUrl } = config;
    const proxies = { base: network.proxyOf(platformBaseUrl), app: network.proxyOf(platformAppUrl) };
    return { analytics, readiness, limits, roster, proxies };
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
export function judgePlatform({ analytics, readiness, limits, roster, proxies }: PlatformReading): Finding[] {
  const isKeyRefused = [analytics, readiness].some((error) => error?.code === 'unauthorized');
  return [
    judgeAddress('PLATFORM_BASE_URL', 'It answers analytics.', analytics, proxies.base),
    judgeAddress('PLATFORM_APP_URL', 'It answers readiness reports.', readiness, proxies.app),
    ...(isKeyRefused ? [fault('PLATFORM_API_KEY', KEY_REFUSED)] : []),
    ...(!isKeyRefused && analytics?.code === 'forbidden' ? [fault('PLATFORM_API_KEY', statedSentence(analytics))] : []),
    ...(analytics === undefined ? [ok('PLATFORM_API_KEY', 'It belongs to a Manager or Owner.')] : []),
    judgeLimits(limits),
    judgeRoster(roster),
  ];
}

/** A platform without it serves the contract, so nothing here is a fault. */
function judgeLimits(error: PlatformError | undefined): Finding {
  if (error === undefined) return ok('limits in force', 'The platform shows them.');
  const { kind, reason } = answerOf(error);
  if (kind === 'gone')
    return ok(
      'limits in force',
      'This platform doesn’t show them: Quartermaster knows those that it set or that were declared.',
    );
  return warning('limits in force', `They can’t be read now (${reason}), so Quartermaster uses those that it knows.`);
}

function judgeRoster(error: PlatformError | undefined): Finding {
  if (error === undefined) return ok('members', 'The platform lists them.');
  const { kind, reason } = answerOf(error);
  if (kind === 'gone') return ok('members', 'This platform doesn’t list them: seats without use aren’t counted.');
  return warning('members', `They can’t be read now (${reason}), so seats without use aren’t counted.`);
}

const KEY_REFUSED =
  'The platform does not accept it: generate a personal one as a Manager or Owner under {PLATFORM_APP_URL}/settings/api-keys.';
const KEY_CODES = new Set<PlatformErrorCode>(['unauthorized', 'forbidden']);
const SILENT_CODES = new Set<PlatformErrorCode>(['network', 'timeout', 'cut_body']);
const STRANGER_CODES = new Set<PlatformErrorCode>(['not_found', 'not_json', 'empty_body', 'unexpected_status']);
const nothingAnswers = (proxy: string | undefined) =>
  proxy === undefined
    ? 'Nothing answers there: check the address, and the network between here and the platform.'
    : `Nothing answers there through the proxy ${proxy}: check the address, and whether the proxy reaches the platform.`;
const NO_REPORTS = `It has readiness reports neither at ${READINESS_PLACES.join(' nor at ')}. Correct the address; if it is right, the platform has moved them, and a newer version of Quartermaster may know where.`;
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
  if (error.code === 'moved_away') return fault(setting, NO_REPORTS);
  if (STRANGER_CODES.has(error.code)) return fault(setting, STRANGER_ANSWERS);
  return fault(setting, statedSentence(error));
}
