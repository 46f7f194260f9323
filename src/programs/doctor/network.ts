import type { Config, Secrets } from '../../core/base/settings/config.ts';
import type { Network } from '../../core/http/network.ts';
import { type Finding, ok } from './finding.ts';

/** Says through which proxy Slack and the platform are reached; nothing if no proxy is set. Pure. */
export function judgeProxies(
  { slackApiUrl, platformBaseUrl, platformAppUrl, noProxy }: Config,
  { httpsProxy, httpProxy }: Secrets,
  { proxyOf }: Pick<Network, 'proxyOf'>,
): Finding[] {
  if (httpsProxy === undefined && httpProxy === undefined) return [];
  const addresses = [
    { name: 'Slack', address: slackApiUrl },
    { name: 'the platform', address: platformBaseUrl },
    { name: 'the platform', address: platformAppUrl },
  ];
  const ways = Map.groupBy(addresses, ({ address }) => proxyOf(address));
  return [...ways].map(([proxy, reached]) => {
    const names = [...new Set(reached.map(({ name }) => name))];
    const subject = `${names.join(' and ')} ${names.length === 1 ? 'is' : 'are'} reached`;
    const sentence = `${subject.charAt(0).toUpperCase()}${subject.slice(1)}`;
    if (proxy === undefined)
      return ok(noProxy === undefined ? 'HTTPS_PROXY' : 'NO_PROXY', `${sentence} without a proxy.`);
    const isPlain = reached.every(({ address }) => address.startsWith('http:'));
    return ok(isPlain ? 'HTTP_PROXY' : 'HTTPS_PROXY', `${sentence} through ${proxy}.`);
  });
}
