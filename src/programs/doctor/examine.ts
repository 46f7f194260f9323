import type { SettingFault } from '../../core/base/settings/config.ts';
import { zoneRulesVersion } from '../../core/base/time/zone-rules.ts';
import { createLogger } from '../../core/base/log.ts';
import { teamIdOf } from '../../core/slack/client/auth-test.ts';
import { createSlackClients } from '../../core/slack/client/clients.ts';
import { judgeChannel, readChannels } from './channels.ts';
import { warning, type Finding } from './finding.ts';
import { judgePlatform, readPlatform } from './platform.ts';
import { judgeCreditPrice, judgeLimitPeriod } from './stored-settings.ts';
import { examineHooks, examinePorts, examineTools } from './port.ts';
import { judgeRoles, readRoles } from './roles.ts';
import { judgeSettings, readUsableSettings, type UsableSettings } from './settings.ts';
import { judgeStore, readStore } from './examine-store.ts';
import { judgeZoneRules } from './zone-rules.ts';
import { judgeBot, judgeTransport, readAppToken, readBot } from './tokens.ts';

/**
 * Checks an installation from its settings down to its store, and continues if something is missing. Changes nothing.
 *
 * @param now the machine's time; decides which day of the platform is read
 */
export async function examine(
  environment: Readonly<Record<string, string | undefined>>,
  now: Date,
  earlier: readonly SettingFault[] = [],
): Promise<Finding[]> {
  const settings = readUsableSettings(environment, earlier);
  const findings = await Promise.all([
    examineSlack(settings),
    examinePlatform(settings, now),
    examineStore(settings, now),
    examinePorts(portsOf(settings), settings.unusable, silentLog),
    examineHooks(settings.config),
    examineTools(settings.config),
  ]);
  return [...judgeSettings(environment, settings), ...findings.flat()];
}

const portsOf = ({ config: { port, metricsPort, hooks, tools } }: UsableSettings) => ({
  PORT: port,
  METRICS_PORT: metricsPort,
  ...(hooks ? { HOOKS_PORT: hooks.port } : {}),
  ...(tools ? { MCP_PORT: tools.port } : {}),
});

/** The findings are the only output; log lines of the parts would repeat them. */
const silentLog = createLogger('fatal', [], () => {});

async function checkIfUsable(
  { unusable }: UsableSettings,
  needed: readonly string[],
  check: () => Promise<Finding[]>,
): Promise<Finding[]> {
  return needed.some((name) => unusable.has(name)) ? [] : check();
}

async function examineSlack(settings: UsableSettings): Promise<Finding[]> {
  const { config, secrets, unusable } = settings;
  if (unusable.has('SLACK_API_URL')) return [notChecked('Slack', 'SLACK_API_URL')];
  const client = createSlackClients(secrets.slackBotToken, config.slackApiUrl, silentLog).interactive;
  const transport = checkIfUsable(settings, ['SLACK_APP_TOKEN'], async () => [
    judgeTransport(await readAppToken(config, secrets, silentLog), config.commandPrefix),
  ]);
  if (unusable.has('SLACK_BOT_TOKEN'))
    return [...(await transport), notChecked('roles and channels', 'SLACK_BOT_TOKEN')];
  const bot = await readBot(client);
  const about = [...judgeBot(bot, config), ...(await transport)];
  const teamId = bot.kind === 'answer' ? teamIdOf(bot.value) : undefined;
  if (teamId === undefined) return [...about, notChecked('roles and channels', 'SLACK_BOT_TOKEN')];
  const [roles, channels] = await Promise.all([
    checkIfUsable(settings, ['ADMINS', 'MANAGERS'], async () => judgeRoles(await readRoles(client, config, teamId))),
    readChannels(client, config),
  ]);
  return [...about, ...roles, ...channels.map(judgeChannel)];
}

async function examineStore(settings: UsableSettings, now: Date): Promise<Finding[]> {
  const { config, secrets, unusable } = settings;
  const reading = unusable.has('DATABASE_URL') ? undefined : await readStore(secrets.databaseUrl, now);
  const stored = reading?.kind === 'open' ? reading : undefined;
  return [
    ...(reading ? [judgeStore(reading)] : []),
    ...(unusable.has('LIMIT_PERIOD') ? [] : [judgeLimitPeriod(config.limitPeriod, stored?.limitPeriod)]),
    ...judgeCreditPrice(config.creditPrice, stored?.price),
    ...judgeZoneRules(zoneRulesVersion(), config.timeZone, stored?.zoneRules),
  ];
}

async function examinePlatform({ config, secrets, unusable }: UsableSettings, now: Date): Promise<Finding[]> {
  const missing = ['PLATFORM_BASE_URL', 'PLATFORM_APP_URL', 'PLATFORM_API_KEY'].filter((name) => unusable.has(name));
  if (missing.length > 0) return [notChecked('platform', missing.join(', '))];
  return judgePlatform(await readPlatform(config, secrets, now));
}

const notChecked = (about: string, cause: string): Finding => warning(about, `Not checked: fix ${cause} first.`);
