import { onTestFinished } from 'vitest';
import { reservePort } from '../processes/free-port.ts';
import type { TestAppOptions } from '../test-app.ts';
import { createAuthority, type Authority } from './certificates.ts';
import { startForwardProxy, type ForwardProxy, type ForwardProxyOptions } from './forward-proxy.ts';
import { startTlsFront } from './tls-front.ts';

const SLACK = 'slack.acme.example';
const PLATFORM = 'api.acme.example';
const LOGIN = 'quartermaster:pass-phrase-7';

export interface CompanyNetwork {
  authority: Authority;
  proxy: ForwardProxy;
  /** The address of the proxy with its login. */
  proxyAddress: string;
  /** For `startTestApp`: Slack and the platform by names that this machine cannot resolve, and the proxy to them. */
  options: {
    slack: NonNullable<TestAppOptions['slack']>;
    platform: NonNullable<TestAppOptions['platform']>;
    settings: Record<string, string>;
  };
}

/**
 * A network in which Slack and the platform are reached through a proxy alone, with certificates of a private
 * authority. A request that leaves in any other way fails, because nothing else knows these hosts.
 */
export async function startCompanyNetwork(options: Partial<ForwardProxyOptions> = {}): Promise<CompanyNetwork> {
  const authority = createAuthority();
  const ports = { slack: await reservePort(), platform: await reservePort() };
  const slackFront = await startTlsFront(authority.issue([SLACK]), ports.slack.port);
  const platformFront = await startTlsFront(authority.issue([PLATFORM]), ports.platform.port);
  const proxy = await startForwardProxy({
    routes: { [SLACK]: slackFront.port, [PLATFORM]: platformFront.port },
    login: LOGIN,
    ...options,
  });
  onTestFinished(async () => {
    for (const one of [proxy, slackFront, platformFront]) await one.close();
    authority.remove();
  });
  await ports.slack.release();
  await ports.platform.release();
  const proxyAddress = `http://${LOGIN}@127.0.0.1:${proxy.port}`;
  return {
    authority,
    proxy,
    proxyAddress,
    options: {
      slack: { port: ports.slack.port, publicAddress: `https://${SLACK}` },
      platform: { port: ports.platform.port },
      settings: {
        SLACK_API_URL: `https://${SLACK}/api/`,
        PLATFORM_BASE_URL: `https://${PLATFORM}`,
        PLATFORM_APP_URL: `https://${PLATFORM}`,
        HTTPS_PROXY: proxyAddress,
      },
    },
  };
}
