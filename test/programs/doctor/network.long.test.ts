import { expect, onTestFinished, test } from 'vitest';
import { examine } from '../../../src/programs/doctor/examine.ts';
import { createMovableClock } from '../../../src/sandbox/demo/movable-clock.ts';
import { trust } from '../../support/network/certificates.ts';
import { startCompanyNetwork, type CompanyNetwork } from '../../support/network/company-network.ts';
import type { ForwardProxyOptions } from '../../support/network/forward-proxy.ts';
import { startInstallation } from './installation.ts';

async function examineBehindProxy(
  change: (network: CompanyNetwork) => Record<string, string>,
  proxyOptions: Partial<ForwardProxyOptions> = {},
) {
  const network = await startCompanyNetwork(proxyOptions);
  const clock = createMovableClock(new Date('2026-03-02T07:00:00Z'));
  const installation = await startInstallation(clock, network.options);
  onTestFinished(async () => {
    await installation.close();
    clock.dispose();
  });
  const settings = { ...installation.environment, ...network.options.settings, ...change(network) };
  const findings = await examine(settings, clock.now());
  expect(JSON.stringify(findings)).not.toContain('pass-phrase');
  const said = findings.map(({ level, about, sentence }) => `${level} ${about}: ${sentence}`);
  return { said, proxy: `127.0.0.1:${network.proxy.port}` };
}

const trusting = (network: CompanyNetwork) => {
  trust(network.authority);
  return {};
};

test('the doctor reaches Slack and the platform through the proxy, and names it', async () => {
  const { said, proxy } = await examineBehindProxy(trusting);
  expect(said.filter((line) => !line.startsWith('ok'))).toEqual([]);
  expect(said).toContain(`ok HTTPS_PROXY: Slack and the platform are reached through ${proxy}.`);
});

test('the doctor says what the proxy is not used for', async () => {
  const { said, proxy } = await examineBehindProxy((network) => {
    trust(network.authority);
    return { NO_PROXY: 'api.acme.example' };
  });
  expect(said).toContain(`ok HTTPS_PROXY: Slack is reached through ${proxy}.`);
  expect(said).toContain('ok NO_PROXY: The platform is reached without a proxy.');
  expect(said).toContain(
    'fault PLATFORM_BASE_URL: Nothing answers there: check the address, and the network between here and the platform.',
  );
});

const slackFault = (advice: string) => `Slack can’t be reached: check the network and SLACK_API_URL. ${advice}.`;

test.each<[string, (network: CompanyNetwork) => Record<string, string>, Partial<ForwardProxyOptions>, string]>([
  [
    'the certificate of an unknown authority',
    () => ({}),
    {},
    'Its certificate is from an authority that this machine does not know: name the file with that authority in NODE_EXTRA_CA_CERTS',
  ],
  [
    'a wrong login of the proxy',
    (network) => ({ ...trusting(network), HTTPS_PROXY: network.proxyAddress.replace('phrase-7', 'phrase-8') }),
    {},
    'The proxy PROXY does not accept the login (status 407): correct the name and password in HTTPS_PROXY and HTTP_PROXY',
  ],
  [
    'a proxy that refuses the way',
    trusting,
    { refusal: 403 },
    'The proxy PROXY does not let this through (status 403): allow the host there, or name it in NO_PROXY',
  ],
])('the doctor names %s', async (_case, change, options, advice) => {
  const { said, proxy } = await examineBehindProxy(change, options);
  const expected = advice.replace('PROXY', proxy);
  expect(said).toContain(`fault SLACK_BOT_TOKEN: ${slackFault(expected)}`);
  expect(said).toContain(`fault SLACK_APP_TOKEN: ${slackFault(expected)}`);
  expect(said).toContain(`fault PLATFORM_BASE_URL: ${expected}.`);
  expect(said).toContain(`fault PLATFORM_APP_URL: ${expected}.`);
});

test('the doctor names a proxy that does not answer', async () => {
  const { said } = await examineBehindProxy(() => ({ HTTPS_PROXY: 'http://quartermaster:pass-phrase-7@127.0.0.2:9' }));
  const advice = 'The proxy 127.0.0.2:9 does not answer: correct HTTPS_PROXY and HTTP_PROXY, or start the proxy';
  expect(said).toContain(`fault SLACK_BOT_TOKEN: ${slackFault(advice)}`);
  expect(said).toContain(`fault PLATFORM_BASE_URL: ${advice}.`);
});
