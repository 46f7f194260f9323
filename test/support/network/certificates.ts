import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { onTestFinished } from 'vitest';
import { runLimited } from '../processes/limited.ts';

export interface Authority {
  /** The file that NODE_EXTRA_CA_CERTS and sslrootcert name. */
  file: string;
  certificate: string;
  /** Issues a certificate for names and addresses. Both are also in files, for programs such as Postgres. */
  issue(names: readonly string[], validity?: 'now' | 'expired'): Issued;
  remove(): void;
}

interface Issued {
  key: string;
  cert: string;
  keyFile: string;
  certFile: string;
}

/** Makes a private certificate authority, as companies have them, with the `openssl` of the machine. */
export function createAuthority(): Authority {
  const folder = mkdtempSync(join(tmpdir(), 'authority-'));
  const at = (name: string) => join(folder, name);
  const openssl = (...words: string[]) => runLimited('openssl', words, { cwd: folder, stdio: 'pipe' });
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  openssl(
    'req',
    '-x509',
    ...curve,
    '-keyout',
    'ca.key',
    '-out',
    'ca.pem',
    '-days',
    '30',
    '-subj',
    '/CN=Acme authority',
  );
  let count = 0;
  const issue: Authority['issue'] = (names, validity = 'now') => {
    count += 1;
    const files = { key: `${count}.key`, request: `${count}.csr`, cert: `${count}.pem`, names: `${count}.ext` };
    const alternatives = names.map((name) => `${/^[\d.]+$|:/.test(name) ? 'IP' : 'DNS'}:${name}`).join(',');
    writeFileSync(at(files.names), `subjectAltName=${alternatives}\n`);
    openssl('req', '-new', ...curve, '-keyout', files.key, '-out', files.request, '-subj', '/CN=server');
    const issuer = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-extfile', files.names];
    const days = validity === 'now' ? '30' : '-1';
    openssl('x509', '-req', '-in', files.request, '-out', files.cert, ...issuer, '-days', days);
    // Postgres refuses a key that others can read.
    chmodSync(at(files.key), 0o600);
    const [keyFile, certFile] = [at(files.key), at(files.cert)];
    return { keyFile, certFile, key: readFileSync(keyFile, 'utf8'), cert: readFileSync(certFile, 'utf8') };
  };
  const remove = () => rmSync(folder, { recursive: true, force: true });
  return { file: at('ca.pem'), certificate: readFileSync(at('ca.pem'), 'utf8'), issue, remove };
}

/** What NODE_EXTRA_CA_CERTS does for a process, until the test has finished. */
export function trust({ certificate }: Authority): void {
  const before = getCACertificates('default');
  setDefaultCACertificates([...before, certificate]);
  onTestFinished(() => setDefaultCACertificates(before));
}
