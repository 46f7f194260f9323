import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startApp } from '../../../app/app.ts';
import { ENDINGS, stuckSentence } from '../../../app/endings.ts';
import { describeFaults, readConfig, SETTING_NAMES, warningsOf } from '../../../core/base/settings/config.ts';
import { systemClock } from '../../../core/base/time/clock.ts';
import { createLogger } from '../../../core/base/log.ts';
import { examine } from '../../../programs/doctor/examine.ts';
import { openStore } from '../../../core/store/database.ts';
import { beat } from '../../../core/store/health/heartbeat.ts';
import { explainStoreFault } from '../../../core/store/engines/store-error.ts';
import { startPlatform, type SimulatedPlatform } from '../../platform/platform.ts';
import { startSlack, type SandboxSlack } from '../../slack/index.ts';
import { connectionSettings } from '../../demo/connection-settings.ts';

type Environment = Readonly<Record<string, string>>;

export interface OperatorSection {
  title: string;
  lines: readonly string[];
}

const SOUND: Environment = {
  SLACK_BOT_TOKEN: 'xoxb-1',
  SLACK_APP_TOKEN: 'xapp-1',
  PLATFORM_BASE_URL: 'https://api.example.com',
  PLATFORM_APP_URL: 'https://app.example.com',
  PLATFORM_API_KEY: 'key',
};

/** Typical mistakes; each setting accepts some of them. */
const WRONG = ['', 'x y', '?!', '0', '99999999', 'https://me@example.com', 'https://example.com/?a', 'C'];

/** Settings that are wrong only in combination. */
const WRONG_TOGETHER: readonly Environment[] = [
  { SLACK_APP_TOKEN: '' },
  { BUDGET_CREDITS: '5m' },
  { BUDGET_CHANNEL: '#general' },
  { PORT: '3000', METRICS_PORT: '3000' },
  { HOOKS_PORT: '3001' },
  { HOOKS_URL: 'https://hooks.example.com' },
  { HOOKS_PORT: '3000', HOOKS_URL: 'https://hooks.example.com' },
];

/** Returns every fault of a setting, with the surrounding texts. */
export function settingsSection(): OperatorSection {
  const environments = [
    ...SETTING_NAMES.flatMap((name) => WRONG.map((value) => ({ ...SOUND, [name]: value }))),
    ...WRONG_TOGETHER.map((some) => ({ ...SOUND, ...some })),
  ];
  const faults = environments.flatMap((environment) => {
    const read = readConfig(environment);
    return read.ok ? [] : read.faults;
  });
  const inClear = readConfig({ ...SOUND, PLATFORM_BASE_URL: 'http://api.example.com' });
  const warnings = inClear.ok ? warningsOf(inClear.config) : [];
  const sentences = [...faults, ...warnings].map(({ name, sentence }) => `${name} ${sentence}`);
  return { title: 'Faults of settings', lines: unique([...describeFaults([]).split('\n'), ...sentences]) };
}

/** Lines that differ only in a typed value count as equal. */
function unique(lines: readonly string[]): string[] {
  const lineByShape = new Map(lines.map((line) => [line.replaceAll(/"[^"]*"/g, ''), line]));
  return [...lineByShape.values()];
}

interface Installation {
  slack: SandboxSlack;
  platform: SimulatedPlatform;
  environment: Environment;
  folder: string;
}

async function withInstallation<Result>(run: (installation: Installation) => Promise<Result>): Promise<Result> {
  const slack = await startSlack({ clock: systemClock });
  const platform = await startPlatform({ clock: systemClock, people: 5, seed: 1 });
  const folder = mkdtempSync(join(tmpdir(), 'quartermaster-texts-'));
  const environment = {
    ...connectionSettings(slack, platform),
    DATABASE_URL: `file:${join(folder, 'quartermaster.db')}`,
    PORT: '0',
    METRICS_PORT: '0',
  };
  try {
    return await run({ slack, platform, environment, folder });
  } finally {
    await Promise.all([slack.close(), platform.close()]);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A port without a server, since only a superuser may listen there. */
const NOWHERE = 'http://127.0.0.1:9';

/** Returns the output of `npm run doctor` for a sound installation and for each reproducible fault. */
export async function doctorSection(): Promise<OperatorSection> {
  const lines = await withInstallation(async ({ slack, platform, environment }) => {
    const channels = { DIGEST_CHANNEL: '#agent-usage', CONTROLS_CHANNEL: 'C0GENERAL', LIMITS_CHANNEL: '#nowhere' };
    const variants: Environment[] = [
      channels,
      { ADMINS: 'U0ADA', MANAGERS: 'U0NOBODY,nobody@acme.example,U0GUS,S0NOTHING,S0WEB' },
      { ADMINS: 'U0GUS', LIMITS_CHANNEL: '#acme-outside', DIGEST_CHANNEL: '#board' },
      { SLACK_BOT_TOKEN: 'xoxb-wrong', SLACK_APP_TOKEN: 'xapp-wrong', PLATFORM_API_KEY: 'wrong' },
      { SLACK_API_URL: `${NOWHERE}/api/`, PLATFORM_BASE_URL: NOWHERE },
      { PLATFORM_API_KEY: platform.apiKeys.member, PLATFORM_APP_URL: `${slack.address}/nothing` },
      { DATABASE_URL: 'file:/dev/null/a.db', PORT: new URL(slack.address).port, DIGEST_CHANEL: '#general' },
      { HOOKS_PORT: '0', HOOKS_URL: NOWHERE },
      { TIMEZONE: 'Mars/Olympus', ADMINS: 'x', DATABASE_URL: 'mysql://a', SLACK_API_URL: 'x', PLATFORM_API_KEY: '' },
    ];
    const findings = [];
    for (const variant of variants) findings.push(...(await examine({ ...environment, ...variant }, new Date())));
    await slack.control.configure({ scopes: [] });
    findings.push(...(await examine(environment, new Date())), ...(await examine({}, new Date())));
    return findings.map(({ level, about, sentence }) => `${level.padEnd(7)}  ${about}  ${sentence}`);
  });
  return { title: 'npm run doctor', lines: unique(lines) };
}

const FILE_CODES = ['EACCES', 'EROFS', 'ENOTDIR'];
const POSTGRES_CODES = ['28P01', '28000', '3D000', '42501', '53100', '53300', 'ECONNREFUSED', 'ENOTFOUND', 'ETIMEDOUT'];
/** https://www.sqlite.org/rescode.html */
const SQLITE_CODES = [5, 8, 10, 11, 13, 14, 26];

/** Returns the sentences of a program that does not start, or ends by itself. */
export async function endingSection(): Promise<OperatorSection> {
  const starts = await withInstallation(async ({ slack, environment }) => {
    const variants: Environment[] = [
      { SLACK_BOT_TOKEN: 'xoxb-wrong' },
      { SLACK_APP_TOKEN: 'xapp-wrong' },
      { SLACK_API_URL: `${NOWHERE}/api` },
      { SLACK_API_URL: `${slack.address}/nothing` },
      { PORT: new URL(slack.address).port },
    ];
    const sentences = [];
    for (const variant of variants) sentences.push(await startFault({ ...environment, ...variant }));
    return sentences;
  });
  const [file, postgres] = ['file:/data/quartermaster.db', 'postgres://quartermaster@db.example.com/quartermaster'];
  const ofStore = [
    ...SQLITE_CODES.map((errcode) => explainStoreFault({ errcode }, file)),
    ...FILE_CODES.map((code) => explainStoreFault({ code }, file)),
    ...POSTGRES_CODES.map((code) => explainStoreFault({ code }, postgres)),
    explainStoreFault(new Error('something unforeseen'), file),
  ];
  return {
    title: 'When Quartermaster does not start, or ends by itself',
    lines: unique([...starts, ...ofStore, await goneSentence(), stuckSentence('outbox'), ...Object.values(ENDINGS)]),
  };
}

async function goneSentence(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'quartermaster-texts-'));
  const store = await openStore(`file:${join(folder, 'quartermaster.db')}`, () => {});
  try {
    rmSync(folder, { recursive: true });
    const health = await beat(store, { process: 'texts' });
    return health.kind === 'well' ? '' : health.sentence;
  } finally {
    await store.close();
  }
}

async function startFault(environment: Environment): Promise<string> {
  const settings = readConfig(environment);
  if (!settings.ok) return describeFaults(settings.faults);
  const log = createLogger('fatal', [], () => {});
  try {
    const app = await startApp({ ...settings, clock: systemClock, log, onFatal: () => {} });
    await app.stop();
    return '';
  } catch (error) {
    return error instanceof Error ? `Quartermaster cannot start. ${error.message}` : String(error);
  }
}
