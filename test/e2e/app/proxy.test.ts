import { expect, onTestFinished, test } from 'vitest';
import { trust } from '../../support/network/certificates.ts';
import { startCompanyNetwork } from '../../support/network/company-network.ts';
import { typeCommand } from '../../support/slack/conversation.ts';
import { startTestApp } from '../../support/test-app.ts';

test('everything leaves through the proxy: calls, the socket, answers, files and the platform', async () => {
  const { authority, proxy, options } = await startCompanyNetwork();
  trust(authority);
  const scene = await startTestApp({ ...options, settings: { ...options.settings, LIMITS_CHANNEL: '#agent-usage' } });
  onTestFinished(() => scene.close());
  expect((await typeCommand(scene.slack, 'mia', '/usage', '7d')).text).toContain('You:');
  const mark = scene.slack.mark();
  await typeCommand(scene.slack, 'morgan', '/usage', 'people 7d csv');
  await scene.slack.next('file_shared', undefined, { since: mark });
  expect(new Set(proxy.requests)).toEqual(new Set(['CONNECT slack.acme.example:443', 'CONNECT api.acme.example:443']));
  expect(scene.log.filter(({ level }) => Number(level) >= 40)).toEqual([]);
  const through = `127.0.0.1:${proxy.port}`;
  expect(scene.log).toContainEqual(
    expect.objectContaining({ slack: through, platform: through, msg: 'Requests leave through a proxy' }),
  );
  expect(JSON.stringify(scene.log)).not.toContain('pass-phrase-7');
});

test('without the setting, hosts that only the proxy knows are not reached', async () => {
  const { authority, options } = await startCompanyNetwork();
  trust(authority);
  const { HTTPS_PROXY: _, ...settings } = options.settings;
  await expect(startTestApp({ ...options, settings })).rejects.toThrow('Slack cannot be reached');
});
