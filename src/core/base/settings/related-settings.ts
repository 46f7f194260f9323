import type { Environment } from './settings-schema.ts';

export interface SettingFault {
  name: string;
  sentence: string;
}

/** Faults of settings that need each other, or exclude each other. */
export function relatedFaults(environment: Environment): SettingFault[] {
  return [budgetFaults, portFaults, hookFaults, toolFaults].flatMap((faultsOf) => faultsOf(environment));
}

function budgetFaults({ BUDGET_CREDITS: credits, BUDGET_CHANNEL: channel }: Environment): SettingFault[] {
  if ((credits === undefined) === (channel === undefined)) return [];
  const [name, other] = channel ? ['BUDGET_CREDITS', 'BUDGET_CHANNEL'] : ['BUDGET_CHANNEL', 'BUDGET_CREDITS'];
  return [{ name, sentence: `is missing: ${other} is set, and a budget needs both` }];
}

function portFaults({ PORT: port, METRICS_PORT: metricsPort }: Environment): SettingFault[] {
  if (port === 0 || port !== metricsPort) return [];
  return [{ name: 'METRICS_PORT', sentence: 'is the same as PORT: metrics have a port of their own' }];
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

export const missingToolsUrl = (): SettingFault => ({
  name: 'MCP_URL',
  sentence: 'is missing: it is the address by which programs reach MCP_PORT',
});

/** Tools have a port of their own, which the internet may reach. */
function toolFaults({ MCP: doors, MCP_PORT: port, MCP_URL: url, ...others }: Environment): SettingFault[] {
  if (!doors) return [];
  const faults: SettingFault[] = [];
  if (doors.includes('slack') && others.SLACK_SIGNING_SECRET === undefined)
    faults.push({
      name: 'SLACK_SIGNING_SECRET',
      sentence: 'is missing: MCP=slack checks the signature of each call with it, also in Socket Mode',
    });
  if (url === undefined) faults.push(missingToolsUrl());
  const ports = ['PORT', 'METRICS_PORT', 'HOOKS_PORT'] as const;
  const portOwner = port === 0 ? undefined : ports.find((name) => others[name] === port);
  if (portOwner)
    faults.push({ name: 'MCP_PORT', sentence: `is the same as ${portOwner}: tools have a port of their own` });
  return faults;
}
