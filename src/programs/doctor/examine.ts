import type { SettingFault } from '../../core/base/settings/config.ts';
import { zoneRulesVersion } from '../../core/base/time/zone-rules.ts';
import { createLogger } from '../../core/base/log.ts';
import { trustAuthorities } from '../../core/http/authorities.ts';
import { createNetwork, type Network } from '../../core/http/network.ts';
import { teamIdOf } from '../../core/slack/client/auth-test.ts';
import { createSlackClients } from '../../core/slack/client/clients.ts';
import { judgeChannel, readChannels } from './channels.ts';
import { fault, warning, type Finding } from './finding.ts';
import { judgeProxies } from './network.ts';
import { judgePlatform, readPlatform } from './platform.ts';
import { judgeCreditPrice, judgeLimitPeriod } from './stored-settings.ts';
import { examineHooks, examinePorts, examineTools } from './port.ts';
import { judgeRoles, readRoles } from './roles.ts';
import { judgeSettings, readUsableSettings, type UsableSettings } from './settings.ts';
import { judgeEncryption, judgeStore, readStore } from './examine-store.ts';
import { judgePooler } from './pooler.ts';
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
  const { config, secrets, unusable } = settings;
  const untrusted = trustAuthorities(config.nodeExtraCaCerts);
  const network = createNetwork({ ...secrets, noProxy: config.noProxy });
  const findings = await Promise.all([
    examineSlack(settings, network),
    examinePlatform(settings, network, now),
    examineStore(settings, now),
    examinePorts(portsOf(settings), unusable, silentLog),
    examineHooks(config, network),
    examineTools(config, network),
  ]);
  await network.close();
  return [
    ...judgeSettings(environment, settings),
    ...(untrusted ? [fault(untrusted.name, `${untrusted.sentence}.`)] : []),
    ...judgeProxies(config, secrets, network),
    ...findings.flat(),
  ];
}

/** Without a proxy that is needed, every other finding would be wrong. */
const unusableWay = ({ unusable }: UsableSettings): string | undefined =>
  ['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY'].find((name) => unusable.has(name));

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

async function examineSlack(settings: UsableSettings, network: Network): Promise<Finding[]> {
  const { config, secrets, unusable } = settings;
  const unusableAddress = unusable.has('SLACK_API_URL') ? 'SLACK_API_URL' : unusableWay(settings);
  if (unusableAddress !== undefined) return [notChecked('Slack', unusableAddress)];
  const client = createSlackClients(secrets.slackBotToken, config.slackApiUrl, silentLog, { network }).interactive;
  const transport = checkIfUsable(settings, ['SLACK_APP_TOKEN'], async () => [
    judgeTransport(await readAppToken(config, secrets, silentLog, network), config.commandPrefix),
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
    ...(reading ? [judgeStore(reading), ...judgeEncryption(secrets.databaseUrl)] : []),
    ...judgePooler(stored?.usableConnections),
    ...(unusable.has('LIMIT_PERIOD') ? [] : [judgeLimitPeriod(config.limitPeriod, stored?.limitPeriod)]),
    ...judgeCreditPrice(config.creditPrice, stored?.price),
    ...judgeZoneRules(zoneRulesVersion(), config.timeZone, stored?.zoneRules),
  ];
}

async function examinePlatform(settings: UsableSettings, network: Network, now: Date): Promise<Finding[]> {
  const { config, secrets, unusable } = settings;
  const missing = [
    ...['PLATFORM_BASE_URL', 'PLATFORM_APP_URL', 'PLATFORM_API_KEY'].filter((name) => unusable.has(name)),
    ...[unusableWay(settings) ?? []].flat(),
  ];
  if (missing.length > 0) return [notChecked('platform', missing.join(', '))];
  return judgePlatform(await readPlatform(config, secrets, network, now));
}

const notChecked = (about: string, cause: string): Finding => warning(about, `Not checked: fix ${cause} first.`);
