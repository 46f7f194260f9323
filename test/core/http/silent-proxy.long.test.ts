import { expect, onTestFinished, test } from 'vitest';
import { readConnectionFault } from '../../../src/core/http/connection-fault.ts';
import { createNetwork } from '../../../src/core/http/network.ts';
import { startForwardProxy } from '../../support/network/forward-proxy.ts';

test('a proxy that never answers is given up after ten seconds, and named', async () => {
  const proxy = await startForwardProxy({ routes: {}, isSilent: true });
  const httpsProxy = `http://me:secret@127.0.0.1:${proxy.port}`;
  const network = createNetwork({ httpsProxy, httpProxy: undefined, noProxy: undefined });
  onTestFinished(async () => {
    await network.close();
    await proxy.close();
  });
  const startMs = performance.now();
  const request = network.agent.request({ origin: 'https://api.acme.example', path: '/', method: 'GET' });
  const error: unknown = await request.catch((one: unknown) => one);
  expect(readConnectionFault(error).advice).toBe(
    `The proxy 127.0.0.1:${proxy.port} does not answer: correct HTTPS_PROXY and HTTP_PROXY, or start the proxy`,
  );
  expect(performance.now() - startMs).toBeLessThan(15_000);
});
