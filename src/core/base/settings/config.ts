import { z } from 'zod';
import { missingToolsUrl, relatedFaults, type SettingFault } from './related-settings.ts';
import { environmentSchema, type Environment } from './settings-schema.ts';

export type { SettingFault } from './related-settings.ts';

type Reading<Value> = ({ ok: true } & Value) | { ok: false; faults: SettingFault[] };
export type ConfigResult = Reading<{ config: Config; secrets: Secrets }>;

export const SETTING_NAMES = Object.keys(environmentSchema.shape);
/** The settings that must never be printed. Each can also come from a file, named by the same setting with _FILE. */
export const SECRET_NAMES = SETTING_NAMES.filter((name) => /TOKEN|SECRET|KEY|DATABASE_URL|HTTPS?_PROXY/.test(name));

/**
 * Reports all faults together. An empty value counts as not set.
 *
 * @param earlier faults of the environment itself: a secret with a faulty file is not also reported as missing
 */
export function readConfig(
  environment: Readonly<Record<string, string | undefined>>,
  earlier: readonly SettingFault[] = [],
): ConfigResult {
  const values = Object.fromEntries(
    SETTING_NAMES.map((name) => [name, valueOf(environment, name)] as const).filter(
      ([name, value]) => value !== undefined && !isServiceLink(name, value),
    ),
  );
  const parsed = environmentSchema.safeParse(values);
  const ofFiles = new Set(earlier.map(({ name }) => settingOf(name)));
  const faults = [...earlier, ...faultsOf(parsed).filter(({ name }) => !ofFiles.has(name))];
  const isTransportKnown = ['SLACK_APP_TOKEN', 'SLACK_SIGNING_SECRET'].some(
    (name) => values[name] || ofFiles.has(name),
  );
  if (!isTransportKnown) {
    faults.push({
      name: 'SLACK_APP_TOKEN',
      sentence:
        'and SLACK_SIGNING_SECRET are both missing: set the first (xapp-…) for Socket Mode, or the second for HTTP',
    });
  }
  if (parsed.success) faults.push(...relatedFaults(parsed.data));
  if (!parsed.success || faults.length > 0) return { ok: false, faults };
  return { ok: true, ...toConfig(parsed.data) };
}

/** The setting that a fault concerns, also if the fault is in its file. */
export const settingOf = (name: string) => name.replace(/_FILE$/, '');

const faultsOf = ({ error }: z.ZodSafeParseResult<unknown>): SettingFault[] =>
  (error?.issues ?? []).map(({ path, message }) => ({ name: String(path[0]), sentence: message }));

/** Programs of all kinds take the names of proxies in lower case too. */
export function valueOf(environment: Readonly<Record<string, string | undefined>>, name: string): string | undefined {
  const other = /^(HTTPS?|NO)_PROXY$/.test(name) ? environment[name.toLowerCase()] : undefined;
  return environment[name]?.trim() || other?.trim() || undefined;
}

/** Kubernetes sets `HOOKS_PORT=tcp://10.96.14.7:80` in each pod beside a Service that is called hooks. */
const isServiceLink = (name: string, value = '') => name.endsWith('_PORT') && /^(tcp|udp|sctp):\/\//.test(value);

/** Returns a warning for each setting that is the address of a Service instead. */
export function serviceLinksIn(environment: Readonly<Record<string, string | undefined>>): SettingFault[] {
  return SETTING_NAMES.filter((name) => isServiceLink(name, valueOf(environment, name))).map((name) => ({
    name,
    sentence:
      'is the address of a Kubernetes Service, so it counts as not set: set enableServiceLinks: false in the pod',
  }));
}

function readOne(name: 'DATABASE_URL' | 'COMMAND_PREFIX', text: string | undefined): Reading<{ value: string }> {
  const parsed = z.object({ [name]: environmentSchema.shape[name] }).safeParse({ [name]: text?.trim() || undefined });
  return parsed.success ? { ok: true, value: parsed.data[name] ?? '' } : { ok: false, faults: faultsOf(parsed) };
}

export const readDatabaseUrl = (text: string | undefined) => readOne('DATABASE_URL', text);
export const readCommandPrefix = (text: string | undefined) => readOne('COMMAND_PREFIX', text);

/** Reads only the settings of `MCP=slack`; `url` is undefined if it is off. */
export function readToolsForSlack(
  environment: Readonly<Record<string, string | undefined>>,
): Reading<{ url: string | undefined }> {
  const names = ['MCP', 'MCP_URL'] as const;
  const values = Object.fromEntries(names.map((name) => [name, environment[name]?.trim() || undefined]));
  const parsed = environmentSchema.pick({ MCP: true, MCP_URL: true }).safeParse(values);
  if (!parsed.success) return { ok: false, faults: faultsOf(parsed) };
  const { MCP: doors, MCP_URL: url } = parsed.data;
  if (!doors?.includes('slack')) return { ok: true, url: undefined };
  return url === undefined ? { ok: false, faults: [missingToolsUrl()] } : { ok: true, url };
}

/** `LIMITS_EXPIRE_HOURS` is `limitsExpireHours` in the program. */
type CamelCase<Name extends string> = Name extends `${infer Word}_${infer Rest}`
  ? `${Lowercase<Word>}${Capitalize<CamelCase<Rest>>}`
  : Lowercase<Name>;
type Settings = { [Name in keyof Environment as CamelCase<Name>]: Environment[Name] };

const camelCase = (name: string) => name.toLowerCase().replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());

const namedForCode = (environment: Environment) =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `camelCase` does with names what the type says
  Object.fromEntries(Object.entries(environment).map(([name, value]) => [camelCase(name), value])) as Settings;

export type Config = ReturnType<typeof toConfig>['config'];
export type FourEyes = Config['fourEyes'];
/** The values that must never be printed. They are apart from the settings, so that settings can be logged whole. */
export type Secrets = ReturnType<typeof toConfig>['secrets'];

function toConfig(environment: Environment) {
  const {
    slackBotToken,
    slackAppToken,
    slackSigningSecret,
    platformApiKey,
    databaseUrl,
    httpsProxy,
    httpProxy,
    ...settings
  } = namedForCode(environment);
  const {
    slackApiUrl,
    timezone,
    hooksPort,
    hooksUrl,
    mcp,
    mcpPort,
    mcpUrl,
    mcpPeople,
    exportDir,
    exportHashPeople,
    ...separate
  } = settings;
  const { budgetCredits, budgetChannel, budgetPeriod, budgetThresholds, ...others } = separate;
  const slackTransport: 'socket' | 'http' = slackAppToken ? 'socket' : 'http';
  return {
    config: {
      ...others,
      slackTransport,
      slackApiUrl: `${slackApiUrl}/`,
      timeZone: timezone,
      hooks: hooksPort === undefined || hooksUrl === undefined ? undefined : { port: hooksPort, url: hooksUrl },
      tools:
        mcp === undefined || mcpUrl === undefined
          ? undefined
          : { doors: mcp, port: mcpPort, url: mcpUrl, showsPeople: mcpPeople },
      exports: exportDir === undefined ? undefined : { directory: exportDir, hashesPeople: exportHashPeople },
      budget:
        budgetCredits === undefined || budgetChannel === undefined
          ? undefined
          : { credits: budgetCredits, channel: budgetChannel, period: budgetPeriod, thresholds: budgetThresholds },
    },
    secrets: {
      slackBotToken,
      slackAppToken,
      slackSigningSecret,
      platformApiKey,
      databaseUrl,
      httpsProxy,
      httpProxy,
    },
  };
}

/** Secrets sent to an unencrypted address can be read on the way. Localhost is safe. */
function isInClear(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'http:' && !/^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

/** Returns a warning for each setting whose address would carry a secret unencrypted. */
export function warningsOf(config: Config): SettingFault[] {
  const addresses = {
    PLATFORM_BASE_URL: config.platformBaseUrl,
    PLATFORM_APP_URL: config.platformAppUrl,
    SLACK_API_URL: config.slackApiUrl,
    ...(config.hooks ? { HOOKS_URL: config.hooks.url } : {}),
    ...(config.tools ? { MCP_URL: config.tools.url } : {}),
  };
  return Object.entries(addresses)
    .filter(([, address]) => isInClear(address))
    .map(([name, address]) => ({
      name,
      sentence: `is not encrypted, so the secret that is sent to ${new URL(address).host} can be read on the way: use https`,
    }));
}

export function describeFaults(faults: readonly SettingFault[]): string {
  return [
    'Quartermaster cannot start; these settings need attention:',
    ...faults.map((fault) => `  ${fault.name} ${fault.sentence}`),
    'docs/settings.md lists every setting. To try the bot with none of them: npm run demo',
  ].join('\n');
}
