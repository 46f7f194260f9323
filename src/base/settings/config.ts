import { z } from 'zod';
import { readAmount } from '../text/amounts.ts';
import { isTimeZone } from '../time/calendar.ts';
import { retentionDays } from './retention-settings.ts';
import {
  address,
  channel,
  onUnlessFalse,
  parsePeople,
  required,
  role,
  wholeNumber,
  yesOrNo,
} from './setting-fields.ts';

export interface SettingFault {
  name: string;
  sentence: string;
}

export type ConfigResult = { ok: true; config: Config; secrets: Secrets } | { ok: false; faults: SettingFault[] };

const environmentSchema = z.object({
  SLACK_BOT_TOKEN: required(
    'copy the Bot User OAuth Token (xoxb-…) from "OAuth & Permissions" of your Slack app',
  ).regex(/^xoxb-/, { error: 'does not start with xoxb-: it must be the Bot User OAuth Token' }),
  SLACK_APP_TOKEN: z
    .string()
    .regex(/^xapp-/, { error: 'does not start with xapp-: it must be an app-level token with connections:write' })
    .optional(),
  SLACK_SIGNING_SECRET: z.string().optional(),
  SLACK_API_URL: address('').default('https://slack.com/api'),
  PLATFORM_BASE_URL: address('the main API address of the platform'),
  PLATFORM_APP_URL: address('the address of the platform’s web application'),
  PLATFORM_API_KEY: required('generate one as a Manager or Owner under {PLATFORM_APP_URL}/settings/api-keys').regex(
    /^[\x21-\x7e]+$/,
    { error: 'holds a space, a line break or a sign that no HTTP header may carry: copy it again' },
  ),
  DATABASE_URL: z
    .string()
    .regex(/^(file:.+|postgres(ql)?:\/\/.+)$/, { error: 'starts with neither file: nor postgres://' })
    .default('file:data/quartermaster.db'),
  PORT: wholeNumber(0, 65_535).default(3000),
  METRICS_PORT: wholeNumber(0, 65_535).default(9464),
  /** If `undefined`, the owners and admins of the Slack workspace are the admins. */
  ADMINS: z.string().transform(parsePeople).optional(),
  MANAGERS: z.string().transform(parsePeople).default([]),
  LIMITS_CHANNEL: channel,
  LIMITS_EXPIRE_HOURS: wholeNumber(1, 720).default(72),
  /** Whether the only admin may decide requests that they made for others. */
  FOUR_EYES: z
    .enum(['required', 'when-possible'], { error: 'is neither required nor when-possible' })
    .default('required'),
  /** The role that may read the text of sessions. */
  SESSIONS_ROLE: z
    .enum(['nobody', 'member', 'manager', 'admin'], { error: 'is none of nobody, member, manager, admin' })
    .default('nobody'),
  HOOKS_PORT: wholeNumber(0, 65_535).optional(),
  // This address is part of a line that people paste into a shell.
  HOOKS_URL: address('')
    .refine((text) => /^[\w:/.[\]-]+$/.test(text), {
      error: 'holds a sign that a shell reads as its own: leave the bare address, such as https://hooks.example.com',
    })
    // An operator may write the whole address.
    .transform((text) => text.replace(/\/hooks\/v1$/, ''))
    .optional(),
  /** Whether people may read the last answer of a session that their own client reported. */
  HOOKS_SHOW_TEXT: yesOrNo,
  /** Whether channels shared with other organizations may get figures. */
  ALLOW_SHARED_CHANNELS: yesOrNo,
  DIGEST_CHANNEL: channel,
  DIGEST_AT: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: 'is not a time of day such as 09:00' })
    .default('09:00'),
  TIMEZONE: z.string().refine(isTimeZone, { error: 'is not an IANA time zone such as Europe/Berlin' }).default('UTC'),
  BUDGET_CREDITS: z
    .string()
    .transform((text) => readAmount(text))
    .refine((amount) => amount !== undefined && amount > 0, { error: 'is not an amount such as 5000000 or 5m' })
    .optional(),
  BUDGET_PERIOD: z
    .enum(['week', 'month', 'quarter', 'year'], { error: 'is none of week, month, quarter, year' })
    .default('month'),
  BUDGET_THRESHOLDS: z
    .string()
    .regex(/^\d{1,3}(,\d{1,3}){0,9}$/, { error: 'is not a list of percentages such as 50,80,100' })
    .transform((text) => text.split(',').map(Number))
    .default([50, 80, 100]),
  BUDGET_CHANNEL: channel,
  /** The period over which a credit limit counts. The platform does not report it. */
  LIMIT_PERIOD: z
    .enum(['week', 'month', 'quarter', 'year'], { error: 'is none of week, month, quarter, year' })
    .optional(),
  CONTROLS_CHANNEL: channel,
  CONTROLS_POLL_SECONDS: wholeNumber(5, 86_400).default(60),
  COMMAND_PREFIX: z
    .string()
    .regex(/^[a-z][a-z0-9]{0,11}[-_]?$/, {
      error: 'is not a prefix of commands such as qm-: up to 12 small letters and digits, and a dash at the end',
    })
    .default(''),
  COMPUTERS_ROLE: role.default('member'),
  /** The files for analysts; undefined if there are none. */
  EXPORT_DIR: z.string().max(1000).optional(),
  EXPORT_HASH_PEOPLE: yesOrNo,
  /** Lists the erased people, for stores that are restored from an older backup. */
  ERASURES_FILE: z.string().max(1000).default('data/erasures.ndjson'),
  ERASURE_PROOFS_FILE: z.string().max(1000).default('data/erasure-proofs.key'),
  RETENTION_DAYS: retentionDays,
  /** The role that may see figures of individual people by name. */
  PEOPLE_ROLE: z.enum(['manager', 'admin'], { error: 'is neither manager nor admin' }).default('manager'),
  /** Neither figures of fewer people nor sums that differ by fewer people are shown to others. */
  MIN_GROUP: wholeNumber(1, 100).default(5),
  /** Whether people who may see figures by name can list who had no activity. */
  SHOW_INACTIVE: onUnlessFalse,
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace'], {
      error: 'is none of fatal, error, warn, info, debug, trace',
    })
    .default('info'),
});

export const SETTING_NAMES = Object.keys(environmentSchema.shape);
/** The settings that must never be printed. Each can also come from a file, named by the same setting with _FILE. */
export const SECRET_NAMES = SETTING_NAMES.filter((name) => /TOKEN|SECRET|KEY|DATABASE_URL/.test(name));

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
    SETTING_NAMES.map((name) => [name, environment[name]?.trim()]).filter(
      ([, value]) => value !== '' && value !== undefined,
    ),
  );
  const parsed = environmentSchema.safeParse(values);
  const ofFiles = new Set(earlier.map(({ name }) => settingOf(name)));
  const issues = parsed.success ? [] : parsed.error.issues;
  const faults = [
    ...earlier,
    ...issues
      .map((issue) => ({ name: String(issue.path[0]), sentence: issue.message }))
      .filter(({ name }) => !ofFiles.has(name)),
  ];
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
  if (parsed.success && (parsed.data.BUDGET_CREDITS === undefined) !== (parsed.data.BUDGET_CHANNEL === undefined)) {
    const [name, other] = parsed.data.BUDGET_CHANNEL
      ? ['BUDGET_CREDITS', 'BUDGET_CHANNEL']
      : ['BUDGET_CHANNEL', 'BUDGET_CREDITS'];
    faults.push({ name, sentence: `is missing: ${other} is set, and a budget needs both` });
  }
  if (parsed.success && parsed.data.PORT !== 0 && parsed.data.PORT === parsed.data.METRICS_PORT) {
    faults.push({ name: 'METRICS_PORT', sentence: 'is the same as PORT: metrics have a port of their own' });
  }
  if (parsed.success) faults.push(...hookFaults(parsed.data));
  if (!parsed.success || faults.length > 0) return { ok: false, faults };
  return { ok: true, ...toConfig(parsed.data) };
}

/** Events of clients need a port that Slack never reaches, and an address that people's computers can reach. */
function hookFaults({ HOOKS_PORT: port, HOOKS_URL: url, ...others }: Environment): SettingFault[] {
  if (port === undefined && url === undefined) return [];
  if (port === undefined)
    return [{ name: 'HOOKS_URL', sentence: 'leads nowhere while HOOKS_PORT is not set: set both, or neither' }];
  if (url === undefined)
    return [{ name: 'HOOKS_PORT', sentence: 'needs HOOKS_URL, the address by which people’s computers reach it' }];
  const portOwner = port === 0 ? undefined : (['PORT', 'METRICS_PORT'] as const).find((name) => others[name] === port);
  return portOwner
    ? [{ name: 'HOOKS_PORT', sentence: `is the same as ${portOwner}: events have a port of their own` }]
    : [];
}

/** The setting that a fault concerns, also if the fault is in its file. */
export const settingOf = (name: string) => name.replace(/_FILE$/, '');

type OneSetting = { ok: true; value: string } | { ok: false; faults: SettingFault[] };

function readOne(name: string, schema: z.ZodType<string, string | undefined>, text: string | undefined): OneSetting {
  const parsed = schema.safeParse(text?.trim() || undefined);
  if (parsed.success) return { ok: true, value: parsed.data };
  return { ok: false, faults: parsed.error.issues.map(({ message }) => ({ name, sentence: message })) };
}

export const readDatabaseUrl = (text: string | undefined): OneSetting =>
  readOne('DATABASE_URL', environmentSchema.shape.DATABASE_URL, text);
export const readCommandPrefix = (text: string | undefined): OneSetting =>
  readOne('COMMAND_PREFIX', environmentSchema.shape.COMMAND_PREFIX, text);

type Environment = z.infer<typeof environmentSchema>;

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
export type LimitPeriod = NonNullable<Config['limitPeriod']>;
export type FourEyes = Config['fourEyes'];
/** The values that must never be printed. They are apart from the settings, so that settings can be logged whole. */
export type Secrets = ReturnType<typeof toConfig>['secrets'];

function toConfig(environment: Environment) {
  const { slackBotToken, slackAppToken, slackSigningSecret, platformApiKey, databaseUrl, ...settings } =
    namedForCode(environment);
  const { slackApiUrl, timezone, hooksPort, hooksUrl, exportDir, exportHashPeople, ...separate } = settings;
  const { budgetCredits, budgetChannel, budgetPeriod, budgetThresholds, ...others } = separate;
  const slackTransport: 'socket' | 'http' = slackAppToken ? 'socket' : 'http';
  return {
    config: {
      ...others,
      slackTransport,
      slackApiUrl: `${slackApiUrl}/`,
      timeZone: timezone,
      hooks: hooksPort === undefined || hooksUrl === undefined ? undefined : { port: hooksPort, url: hooksUrl },
      exports: exportDir === undefined ? undefined : { directory: exportDir, hashesPeople: exportHashPeople },
      budget:
        budgetCredits === undefined || budgetChannel === undefined
          ? undefined
          : { credits: budgetCredits, channel: budgetChannel, period: budgetPeriod, thresholds: budgetThresholds },
    },
    secrets: { slackBotToken, slackAppToken, slackSigningSecret, platformApiKey, databaseUrl },
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
