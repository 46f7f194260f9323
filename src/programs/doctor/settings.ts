import {
  readConfig,
  SECRET_NAMES,
  SETTING_NAMES,
  serviceLinksIn,
  settingOf,
  valueOf,
  warningsOf,
  type Config,
  type Secrets,
  type SettingFault,
} from '../../core/base/settings/config.ts';
import { didYouMean } from '../../core/slack/commands/command-text.ts';
import { fault, ok, warning, type Finding } from './finding.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** A missing or wrong setting is replaced and listed in `unusable`. */
export interface UsableSettings {
  config: Config;
  secrets: Secrets;
  unusable: ReadonlySet<string>;
  faults: readonly SettingFault[];
}

/** `.invalid` never resolves (RFC 2606), and no request is made with these values anyway. */
const STAND_INS: Readonly<Record<string, string>> = {
  SLACK_BOT_TOKEN: 'xoxb-stand-in',
  SLACK_SIGNING_SECRET: 'stand-in',
  PLATFORM_BASE_URL: 'https://platform.invalid',
  PLATFORM_APP_URL: 'https://platform.invalid',
  PLATFORM_API_KEY: 'stand-in',
};
/** These settings depend on each other, so a fault in one makes both unusable. */
const TOGETHER = [
  ['BUDGET_CREDITS', 'BUDGET_CHANNEL'],
  ['PORT', 'METRICS_PORT'],
  ['HOOKS_PORT', 'HOOKS_URL'],
  ['MCP', 'MCP_PORT', 'MCP_URL'],
];
const LOWER_CASE_NAMES = SETTING_NAMES.map((name) => name.toLowerCase());

/** Some faults show only after others are out of the way; each reading finds fewer. */
const MAX_READINGS = 5;

/** Reads the settings like the bot does, but continues after faults, so that the rest can be checked too. */
export function readUsableSettings(environment: Environment, earlier: readonly SettingFault[] = []): UsableSettings {
  const faults: SettingFault[] = [];
  const unusable = new Set<string>();
  for (let reading = 0; reading < MAX_READINGS; reading += 1) {
    const read = readConfig(withStandIns(environment, unusable), reading === 0 ? earlier : []);
    if (read.ok) return { ...read, unusable, faults };
    faults.push(...read.faults);
    const named = new Set(read.faults.map(({ name }) => settingOf(name)));
    for (const name of [...named, ...TOGETHER.filter((group) => group.some((one) => named.has(one))).flat()])
      unusable.add(name);
  }
  throw new Error(`No stand-in for ${faults.map(({ name }) => name).join(', ')}`);
}

function withStandIns(environment: Environment, unusable: ReadonlySet<string>): Environment {
  if (unusable.size === 0) return environment;
  const usable = { ...environment };
  for (const name of unusable) usable[name] = STAND_INS[name];
  usable['SLACK_SIGNING_SECRET'] ||= STAND_INS['SLACK_SIGNING_SECRET'];
  return usable;
}

/** Includes the values of faulty settings. */
export function secretValues(environment: Environment): string[] {
  return SECRET_NAMES.flatMap((name) => valueOf(environment, name) ?? []);
}

export function judgeSettings(environment: Environment, { faults, config }: UsableSettings): Finding[] {
  const setNames = SETTING_NAMES.filter((name) => valueOf(environment, name) !== undefined);
  const summary = `${setNames.length} given, ${SETTING_NAMES.length - setNames.length} left at their defaults.`;
  return [
    ...(faults.length === 0 ? [ok('settings', summary)] : []),
    ...faults.map(({ name, sentence }) => fault(name, `${sentence}.`)),
    ...[...serviceLinksIn(environment), ...warningsOf(config)].map(({ name, sentence }) =>
      warning(name, `${sentence}.`),
    ),
    ...misspelled(environment, setNames),
  ];
}

/** A misspelled setting silently leaves the real one at its default, so similar names are reported. */
function misspelled(environment: Environment, setNames: readonly string[]): Finding[] {
  return Object.keys(environment).flatMap((name) => {
    if (
      SETTING_NAMES.includes(name) ||
      !/^(SLACK|PLATFORM|DIGEST|LIMITS|CONTROLS|HOOKS|MCP|DATABASE|ADMIN|MANAGER)/.test(name)
    )
      return [];
    const nearName = didYouMean(name, LOWER_CASE_NAMES)?.toUpperCase();
    const isNear =
      nearName !== undefined && !setNames.includes(nearName) && Math.abs(nearName.length - name.length) <= 2;
    return isNear ? [warning(name, `is no setting of Quartermaster. Did you mean ${nearName}?`)] : [];
  });
}
