import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { directNetwork } from '../../../src/core/http/network.ts';
import { createResponsePoster } from '../../../src/core/slack/outbound/response-url.ts';
import { ForeignAddressError, slackHosts } from '../../../src/core/slack/client/clients.ts';

const slack = slackHosts('https://slack.com/api/');

test.each(['https://hooks.slack.com/commands/T1/2/3', 'https://slack.com/x', 'https://hooks.slack.com:443/x'])(
  'an answer is sent to %s',
  (address) => {
    expect(slack.checkResponseUrl(address).href).toContain('slack.com/');
  },
);

test.each([
  'http://hooks.slack.com/commands/T1/2/3',
  'https://hooks.slack.com.evil.test/x',
  'https://evil.test/?hooks.slack.com',
  'https://hooks.slack.com@evil.test/x',
  'https://a:b@hooks.slack.com/x',
  'https://hooks.slack.com:8443/x',
  'http://169.254.169.254/latest/meta-data',
  'http://127.0.0.1:3000/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  '//hooks.slack.com/x',
  '',
  'x'.repeat(64_000),
])('an answer is never sent to %.60s', (address) => {
  expect(() => slack.checkResponseUrl(address)).toThrow(ForeignAddressError);
  expect(() => slack.checkFileUrl(address)).toThrow(ForeignAddressError);
});

test('the token is sent with a file to Slack’s file host alone', () => {
  expect(slack.checkFileUrl('https://files.slack.com/files-pri/T1-F1/download/a.csv').host).toBe('files.slack.com');
  expect(() => slack.checkFileUrl('https://drive.example/a.csv')).toThrow(ForeignAddressError);
});

test('another Slack is accepted at the address of SLACK_API_URL, over the same protocol', () => {
  const other = slackHosts('http://127.0.0.1:4001/api/');
  expect(other.checkResponseUrl('http://127.0.0.1:4001/response/1').port).toBe('4001');
  expect(() => other.checkResponseUrl('http://127.0.0.1:4002/response/1')).toThrow(ForeignAddressError);
  const government = slackHosts('https://slack-gov.com/api/');
  expect(government.checkResponseUrl('https://hooks.slack-gov.com/x').host).toBe('hooks.slack-gov.com');
});

test('a redirect is not followed', async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(307, { location: '/latest/meta-data' }).end();
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  const post = createResponsePoster({ hosts: slackHosts(`${origin}/api/`), agent: directNetwork.agent }, (body) => ({
    ...body,
  }));
  await expect(post(`${origin}/response`, { text: 'hello' })).rejects.toThrow('Slack rejected the reply: 307');
  expect(asked).toEqual(['/response']);
});
