import { fetch } from 'undici';
import type { Config } from '../../core/base/settings/config.ts';
import type { Logger } from '../../core/base/log.ts';
import { HOOKS_PATH, UNKNOWN_TOKEN } from '../../core/http/hooks-address.ts';
import { NO_ACCESS, TOOLS_PATH } from '../../core/http/tools-address.ts';
import { readConnectionFault } from '../../core/http/connection-fault.ts';
import type { Network } from '../../core/http/network.ts';
import { startHttpServer } from '../../core/http/server.ts';
import { fault, ok, warning, type Finding } from './finding.ts';

const TIMEOUT_MS = 3_000;
const ADDRESS_TIMEOUT_MS = 5_000;

/** A port that the bot listens on, with a path whose answer proves that it is the bot. */
interface OwnPort {
  setting: 'PORT' | 'METRICS_PORT' | 'HOOKS_PORT' | 'MCP_PORT';
  path: string;
  sign: string;
}

const OWN_PORTS: readonly OwnPort[] = [
  { setting: 'PORT', path: '/healthz', sign: 'alive' },
  { setting: 'METRICS_PORT', path: '/metrics', sign: 'quartermaster_' },
  // These ports refuse GET with this sentence.
  { setting: 'HOOKS_PORT', path: HOOKS_PATH, sign: 'does not answer this method' },
  { setting: 'MCP_PORT', path: TOOLS_PATH, sign: 'does not answer this method' },
];

/** Listens for a moment on a port of the bot. If that fails, asks which program answers there. */
async function examinePort(port: number, { setting, path, sign }: OwnPort, log: Logger): Promise<Finding> {
  try {
    const server = await startHttpServer({ port, setting, routes: [], log });
    await server.close();
    return ok(setting, port === 0 ? 'Any free port will do.' : `Port ${port} is free.`);
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'PortError') throw error;
    const isOurs = await answersWith(`http://127.0.0.1:${port}${path}`, sign);
    return isOurs
      ? warning(setting, `Quartermaster is running on port ${port} already.`)
      : fault(setting, error.message);
  }
}

async function answersWith(address: string, sign: string): Promise<boolean> {
  try {
    const answer = await fetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    return (await answer.text()).includes(sign);
  } catch {
    return false;
  }
}

export function examinePorts(
  ports: Readonly<Partial<Record<OwnPort['setting'], number>>>,
  unusable: ReadonlySet<string>,
  log: Logger,
): Promise<Finding[]> {
  return Promise.all(
    OWN_PORTS.flatMap((own) => {
      const port = ports[own.setting];
      return port === undefined || unusable.has(own.setting) ? [] : [examinePort(port, own, log)];
    }),
  );
}

/** Sends a request without a token to HOOKS_URL and expects the bot's refusal. */
export async function examineHooks({ hooks }: Pick<Config, 'hooks'>, network: Network): Promise<Finding[]> {
  if (!hooks) return [];
  const address = { name: 'HOOKS_URL', port: 'HOOKS_PORT', url: `${hooks.url}${HOOKS_PATH}`, sign: UNKNOWN_TOKEN };
  return [await examineAddress(address, network)];
}

/** Sends a request without a token to MCP_URL and expects the bot's refusal. */
export async function examineTools({ tools }: Pick<Config, 'tools'>, network: Network): Promise<Finding[]> {
  if (!tools) return [];
  const address = { name: 'MCP_URL', port: 'MCP_PORT', url: `${tools.url}${TOOLS_PATH}`, sign: NO_ACCESS };
  const finding = await examineAddress(address, network);
  if (!tools.doors.includes('slack')) return [finding];
  const sentence =
    'Slackbot calls this address from the internet, which only you can check: open it from outside and expect status 405, without a redirect.';
  return [finding, warning('MCP_URL', sentence)];
}

interface PublicAddress {
  name: string;
  port: string;
  url: string;
  /** Part of the bot’s refusal of a request without a token. */
  sign: string;
}

async function examineAddress({ name, port, url, sign }: PublicAddress, network: Network): Promise<Finding> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      dispatcher: network.agent,
      signal: AbortSignal.timeout(ADDRESS_TIMEOUT_MS),
    });
    const isRefused = answer.status === 401;
    if (!isRefused) await answer.body?.cancel();
    if (isRefused && (await answer.text()).includes(sign)) return ok(name, 'It leads to Quartermaster.');
    const sentence = `This address is not Quartermaster (status ${answer.status}). Correct it, or make it lead to ${port}.`;
    return fault(name, sentence);
  } catch (error) {
    const { advice } = readConnectionFault(error);
    if (advice !== undefined) return warning(name, `It can’t be reached from here. ${advice}.`);
    return warning(
      name,
      `Nothing answers there. If Quartermaster is running, check the address, and that it leads to ${port}.`,
    );
  }
}
