import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { trustAuthorities } from '../../../src/core/http/authorities.ts';
import { createNetwork } from '../../../src/core/http/network.ts';
import { createAuthority, type Authority } from '../../support/network/certificates.ts';

let authority: Authority;
let folder: string;
const original = getCACertificates('default');
const trusted = () => new Set(getCACertificates('default').map((one) => new X509Certificate(one).fingerprint256));
const before = trusted();
beforeEach(() => {
  authority = createAuthority();
  folder = mkdtempSync(join(tmpdir(), 'authorities-'));
});
afterEach(() => {
  setDefaultCACertificates(original);
  authority.remove();
  rmSync(folder, { recursive: true });
});

const inFile = (text: string): string => {
  const path = join(folder, 'authorities.pem');
  writeFileSync(path, text);
  return path;
};

async function ask(certificate: { key: string; cert: string }): Promise<number> {
  const server = createServer(certificate, (_request, response) => response.end('here'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const network = createNetwork({ httpsProxy: undefined, httpProxy: undefined, noProxy: undefined });
  onTestFinished(() => network.close());
  const origin = `https://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  const answer = await network.agent.request({ origin, path: '/', method: 'GET' });
  await answer.body.dump();
  return answer.statusCode;
}

test('every authority of the file is trusted beside those of Node.js', async () => {
  const other = createAuthority();
  onTestFinished(() => other.remove());
  const certificates = [authority, other].map((one) => one.issue(['127.0.0.1']));
  for (const certificate of certificates) await expect(ask(certificate)).rejects.toThrow('certificate');
  expect(trustAuthorities(inFile(`# ours\n${authority.certificate}\n${other.certificate}`))).toBeUndefined();
  for (const certificate of certificates) expect(await ask(certificate)).toBe(200);
  expect(trusted().size).toBe(before.size + 2);
});

test('without the setting, nothing else is trusted', () => {
  expect(trustAuthorities(undefined)).toBeUndefined();
  expect(trusted()).toEqual(before);
});

test.each([
  ['is missing', () => join(folder, 'absent.pem')],
  ['is a folder', () => folder],
  ['is empty', () => inFile('')],
  ['holds something else', () => inFile('not a certificate')],
  ['holds a broken certificate', () => inFile('-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n')],
  ['is endless', () => '/dev/zero'],
])('a file that %s is a fault of the setting', (_case, path) => {
  const fault = trustAuthorities(path());
  expect(fault?.name).toBe('NODE_EXTRA_CA_CERTS');
  expect(fault?.sentence).toContain('no readable file of at most 4 MB with certificates in PEM');
  expect(trusted()).toEqual(before);
});
