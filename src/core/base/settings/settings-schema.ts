import { z } from 'zod';
import { readAmount } from '../text/amounts.ts';
import { PRICE_EXAMPLE, readPrice } from '../text/numbers.ts';
import { isTimeZone } from '../time/calendar.ts';
import { limitPeriodSchema } from '../time/limit-period-days.ts';
import { retentionDays } from './retention-settings.ts';
import {
  address,
  channel,
  onUnlessFalse,
  parsePeople,
  pastedAddress,
  proxyAddress,
  required,
  role,
  wholeNumber,
  yesOrNo,
} from './setting-fields.ts';

export const environmentSchema = z.object({
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
  /** The proxies for everything that leaves over HTTP, by the scheme of the address. */
  HTTPS_PROXY: proxyAddress.optional(),
  HTTP_PROXY: proxyAddress.optional(),
  /** What is reached without a proxy. */
  NO_PROXY: z.string().max(8_192).optional(),
  /** A file with authorities that connections trust too. */
  NODE_EXTRA_CA_CERTS: z.string().max(1_000).optional(),
  PORT: wholeNumber(0, 65_535).default(3000),
  METRICS_PORT: wholeNumber(0, 65_535).default(9464),
  /** How long idle connections to the ports stay open. */
  KEEP_ALIVE_SECONDS: wholeNumber(1, 86_400).default(620),
  /** If `undefined`, the owners and admins of the Slack workspace are the admins. */
  ADMINS: z.string().transform(parsePeople).optional(),
  MANAGERS: z.string().transform(parsePeople).default([]),
  LIMITS_CHANNEL: channel,
  LIMITS_EXPIRE_HOURS: wholeNumber(1, 720).default(72),
  /** Whether the only admin may decide requests that they made for others. */
  FOUR_EYES: z
    .enum(['required', 'when-possible'], { error: 'is neither required nor when-possible' })
    .default('required'),
  /** `off` stops every limit policy. */
  LIMIT_POLICIES: z
    .enum(['on', 'off'], { error: 'is neither on nor off' })
    .default('on')
    .transform((text) => text === 'on'),
  /** The role that may read the text of sessions. */
  SESSIONS_ROLE: z
    .enum(['nobody', 'member', 'manager', 'admin'], { error: 'is none of nobody, member, manager, admin' })
    .default('nobody'),
  HOOKS_PORT: wholeNumber(0, 65_535).optional(),
  HOOKS_URL: pastedAddress('/hooks/v1', 'https://hooks.example.com').optional(),
  /** Whether people may read the last answer of a session that their own client reported. */
  HOOKS_SHOW_TEXT: yesOrNo,
  /** Whether messages to the bot are answered. */
  WORDS: onUnlessFalse,
  /** The programs that may ask for people through read-only tools: Slackbot, and clients with a personal token. */
  MCP: z
    .string()
    .regex(/^(slack|tokens)(,(slack|tokens))?$/, { error: 'is none of slack, tokens, and slack,tokens' })
    .transform((text) => [...new Set(text.split(','))].filter((door) => door === 'slack' || door === 'tokens'))
    .optional(),
  MCP_PORT: wholeNumber(0, 65_535).default(9465),
  /** Part of lines that people paste into a shell. */
  MCP_URL: pastedAddress('/mcp', 'https://quartermaster.example.com').optional(),
  /** Whether figures of other people may reach these programs, whose models read them. */
  MCP_PEOPLE: yesOrNo,
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
    .transform((text, context) => {
      const { amount, problem } = readAmount(text);
      if (amount !== undefined && amount > 0) return amount;
      context.addIssue(`is not an amount such as 5000000 or 5m. ${problem ?? 'Type more than 0.'}`);
      return z.NEVER;
    })
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
  LIMIT_PERIOD: limitPeriodSchema.optional(),
  /** The smallest limit that the platform takes; unset: as documented, on a platform that shows limits. */
  LIMIT_MINIMUM: z
    .string()
    .transform((text, context) => {
      const { amount, problem } = readAmount(text);
      if (amount !== undefined) return amount;
      context.addIssue(`is not an amount such as 1000000 or 1m. ${problem}`);
      return z.NEVER;
    })
    .optional(),
  /** The first price of a million credits. The price in the store counts more. */
  CREDIT_PRICE: z
    .string()
    .transform((text, context) => {
      const { price, problem } = readPrice(text);
      if (price) return price;
      context.addIssue(`is not a price such as ${PRICE_EXAMPLE} per million. ${problem}`);
      return z.NEVER;
    })
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

export type Environment = z.infer<typeof environmentSchema>;
