import * as fc from 'fast-check';
import { EnvHttpProxyAgent, MockAgent, type Dispatcher } from 'undici';
import { describe, expect, test } from 'vitest';
import { propertyRuns } from '../../support/property-runs.ts';
import { createProxyChoice, nameProxy } from '../../../src/core/http/proxies.ts';

const PROXY = 'http://me:secret@proxy.acme.example:3128';
const isDirect = (address: string, noProxy: string) =>
  createProxyChoice({ httpsProxy: PROXY, httpProxy: PROXY, noProxy })(new URL(address)) === undefined;

describe('NO_PROXY', () => {
  test.each([
    ['acme.example', 'https://acme.example/', true],
    ['acme.example', 'https://api.acme.example/', true],
    ['acme.example', 'https://notacme.example/', false],
    ['.acme.example', 'https://api.acme.example/', true],
    ['.acme.example', 'https://acme.example/', true],
    ['*.acme.example', 'https://api.acme.example/', true],
    ['*.acme.example', 'https://acme.example/', false],
    ['API.Acme.example', 'https://api.acme.example/', true],
    ['acme.example.', 'https://api.acme.example/', true],
    ['acme.example', 'https://api.acme.example./', true],
    ['other.example, acme.example', 'https://acme.example/', true],
    ['other.example acme.example', 'https://acme.example/', true],
    ['acme.example:8443', 'https://acme.example:8443/', true],
    ['acme.example:8443', 'https://acme.example/', false],
    ['acme.example:443', 'https://acme.example/', true],
    ['acme.example:80', 'http://acme.example/', true],
    ['*', 'https://slack.com/', true],
    ['other.example,*', 'https://slack.com/', true],
    ['*:8443', 'https://slack.com/', false],
    ['10.1.2.3', 'https://10.1.2.3/', true],
    ['10.0.0.0/8', 'https://10.200.1.1/', true],
    ['10.0.0.0/8', 'https://11.0.0.1/', false],
    ['10.0.0.0/8', 'https://ten.acme.example/', false],
    ['192.168.4.0/22', 'https://192.168.7.255/', true],
    ['192.168.4.0/22', 'https://192.168.8.0/', false],
    ['10.0.0.0/99', 'https://10.0.0.1/', false],
    ['10.0.0.0/x', 'https://10.0.0.0/', false],
    ['10.0.0.0/', 'https://203.0.113.7/', false],
    ['.', 'https://slack.com/', false],
    ['fd00::/8', 'https://[fd12::1]/', true],
    ['fd00::/8', 'https://[fe80::1]/', false],
    ['[fd00::1]:8443', 'https://[fd00::1]:8443/', true],
    ['[fd00::1]:8443', 'https://[fd00::1]/', false],
    ['fd00::1', 'https://[fd00::1]/', true],
    [',, ,', 'https://slack.com/', false],
    ['', 'https://slack.com/', false],
    ['', 'http://localhost:3000/', true],
    ['', 'http://api.localhost:3000/', true],
    ['', 'http://127.0.0.1:3000/', true],
    ['', 'http://127.9.9.9/', true],
    ['', 'https://[::1]:3000/', true],
    ['', 'https://localhost.acme.example/', false],
    ['', 'https://127.acme.example/', false],
  ])('“%s” and %s: directly is %s', (noProxy, address, direct) => expect(isDirect(address, noProxy)).toBe(direct));

  /** Names, ports and addresses as the agent of undici takes them; it takes no ranges. */
  const host = fc.constantFrom(
    'acme.example',
    'api.acme.example',
    'deep.api.acme.example',
    'example',
    '10.1.2.3',
    '[fd00::1]',
  );
  const port = fc.constantFrom('', ':443', ':8443');
  const prefix = fc.constantFrom('', '.', '*.');
  const entry = fc.oneof(
    fc
      .tuple(prefix, fc.constantFrom('acme.example', 'api.acme.example', 'EXAMPLE', '10.1.2.3'), port)
      .map((parts) => parts.join('')),
    fc.constantFrom('[fd00::1]', '[fd00::1]:8443', 'fd00::1', '*', '*:8443'),
  );
  const separator = fc.constantFrom(',', ', ', ' ');

  test('means what the agent of undici reads in it', () => {
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 4 }), separator, host, port, (entries, between, name, ending) => {
        const noProxy = entries.join(between);
        expect(isDirect(`https://${name}${ending}/`, noProxy)).toBe(
          isDirectForUndici(`https://${name}${ending}`, noProxy),
        );
      }),
      { numRuns: propertyRuns(3_000) },
    );
  });
});

/** undici sends a request through its `ProxyAgent` or its `Agent`, which are asked here instead of a network. */
function isDirectForUndici(origin: string, noProxy: string): boolean {
  const agent = new EnvHttpProxyAgent({ httpProxy: PROXY, httpsProxy: PROXY, noProxy, factory: () => reached });
  let direct = false;
  const reached = Object.assign(new MockAgent(), {
    dispatch: (options: Dispatcher.DispatchOptions) => {
      // A proxied request has got its header `host` on the way.
      direct = !(options.headers && 'host' in options.headers);
      return true;
    },
  });
  agent.dispatch({ origin, path: '/', method: 'GET', headers: {} }, {});
  return direct;
}

test('each scheme has its own proxy, and the socket that of https', () => {
  const choose = createProxyChoice({
    httpsProxy: 'http://a.example:1',
    httpProxy: 'http://b.example:2',
    noProxy: undefined,
  });
  const chosen = ['https://x.example', 'wss://x.example', 'http://x.example'].map(
    (address) => choose(new URL(address))?.host,
  );
  expect(chosen).toEqual(['a.example:1', 'a.example:1', 'b.example:2']);
});

test.each([
  ['http://me:secret@proxy.acme.example:3128', 'proxy.acme.example:3128'],
  ['https://proxy.acme.example', 'proxy.acme.example:443'],
  ['http://proxy.acme.example', 'proxy.acme.example:80'],
  ['http://me@[fd00::1]:3128', '[fd00::1]:3128'],
])('the proxy %s is called %s', (address, name) => expect(nameProxy(new URL(address))).toBe(name));
