import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { SECRET_NAMES, SETTING_NAMES } from '../../../../src/core/base/settings/config.ts';
import { readText, ROOT } from '../../../repository/parsing/sources.ts';
import { build, type Manifest } from './kustomize.ts';
import { FOLDERS, MANIFESTS, mayLeave, problemsOfStore } from './rules.ts';
import { validate } from './validate.ts';
import { spawnLimited } from '../../../support/processes/limited.ts';

const built = (folder: string) => build(join(ROOT, MANIFESTS, folder));
const textOf = (value: unknown) => JSON.stringify(value);

/** A manifest of the base with a text replaced. */
function mistaken(kind: string, from: string, to: string): Manifest {
  const manifest = built('base').find((one) => one.kind === kind);
  const text = textOf(manifest);
  expect(text).toContain(from);
  return JSON.parse(text.replace(from, to));
}

test('every manifest that the folders produce follows the published schemas', async () => {
  const manifests = FOLDERS.flatMap((folder) => built(folder));
  expect(manifests.length).toBeGreaterThan(15);
  expect((await validate(manifests)).flat()).toEqual([]);
});

test('a mistake in a manifest is found', async () => {
  const mistakes: [Manifest, RegExp][] = [
    [mistaken('Deployment', '"livenessProbe"', '"livnessProbe"'), /'livnessProbe' does not exist/],
    [mistaken('Deployment', '"readOnlyRootFilesystem"', '"readOnlyRoot"'), /'readOnlyRoot' does not exist/],
    [mistaken('Deployment', '"replicas":2', '"replicas":"2"'), /'string' is not assignable to type 'number'/],
    [mistaken('Deployment', '"mountPath":"/data"', '"path":"/data"'), /'path' does not exist/],
    [
      mistaken('Deployment', '"whenUnsatisfiable":"ScheduleAnyway"', '"whenUnsatisfiable":"Whenever"'),
      /Whenever|allowed/,
    ],
    [mistaken('NetworkPolicy', '"podSelector"', '"podSelectors"'), /'podSelectors' does not exist/],
    [mistaken('PodDisruptionBudget', '"maxUnavailable":1', '"maxUnavailable":true'), /not assignable|must be/],
    [mistaken('PodDisruptionBudget', '"policy/v1"', '"policy/v1beta9"'), /no kind PodDisruptionBudget/],
    [mistaken('Service', '"port":3000', '"ports":3000'), /'ports' does not exist/],
    [mistaken('PersistentVolumeClaim', '"storage":"1Gi"', '"storage":["1Gi"]'), /not assignable|must be/],
  ];
  const problems = await validate(mistakes.map(([manifest]) => manifest));
  for (const [index, [, message]] of mistakes.entries()) expect(problems[index]?.join('\n')).toMatch(message);
});

describe('SQLite', () => {
  const withChange = (kind: string, change: Record<string, unknown>) =>
    problemsOfStore(
      built('sqlite').map((manifest) =>
        manifest.kind === kind ? { ...manifest, spec: Object.assign({}, manifest['spec'], change) } : manifest,
      ),
    );

  test('runs as one pod, alone on its volume, without a disruption budget', () => {
    expect(problemsOfStore(built('sqlite'))).toEqual([]);
    expect(built('sqlite').map(({ kind }) => kind)).not.toContain('PodDisruptionBudget');
    expect(built('base').map(({ kind }) => kind)).toContain('PodDisruptionBudget');
  });

  test('refuses two replicas, a rolling update and a shared volume', () => {
    expect(withChange('Deployment', { replicas: 2 })).toEqual(['SQLite with 2 replicas: run one, or use Postgres']);
    expect(withChange('Deployment', { strategy: { type: 'RollingUpdate' } })).toHaveLength(1);
    expect(withChange('PersistentVolumeClaim', { accessModes: ['ReadWriteOnce'] })).toHaveLength(1);
  });
});

describe.each(FOLDERS)('%s', (folder) => {
  const manifests = built(folder);
  const text = textOf(manifests);

  test('names only settings that exist, and reads each secret from a file', () => {
    const named = [...text.matchAll(/"name":"([A-Z][A-Z_]+)"/g)].map(([, name = '']) => name);
    const known = new Set<string>([...SETTING_NAMES, ...SECRET_NAMES.map((name) => `${name}_FILE`)]);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
    expect(named).toContain('SLACK_BOT_TOKEN_FILE');
    expect(text).not.toMatch(/xox[bp]-|xapp-/);
    expect(manifests.map(({ kind }) => kind)).not.toContain('Secret');
  });

  test('gets no addresses of other Services as settings, such as HOOKS_PORT of one that is called hooks', () => {
    expect(text).toContain('"enableServiceLinks":false');
  });

  test('reaches every server of names of a cluster, also one on the node, and no other port', () => {
    const to = (port: number, protocol: 'TCP' | 'UDP', ip: string, namespace?: string) =>
      mayLeave(manifests, { port, protocol, ip, namespace });
    for (const protocol of ['UDP', 'TCP'] as const) {
      expect(to(53, protocol, '10.96.0.10', 'kube-system')).toBe(true);
      expect(to(53, protocol, '10.96.0.10', 'openshift-dns')).toBe(true);
      // NodeLocal DNSCache listens on this address of each node, which belongs to no pod.
      expect(to(53, protocol, '169.254.20.10')).toBe(true);
    }
    expect(to(443, 'TCP', '203.0.113.7')).toBe(true);
    expect(to(5432, 'TCP', '10.0.0.7')).toBe(true);
    expect(to(80, 'TCP', '203.0.113.7')).toBe(false);
    expect(to(443, 'UDP', '203.0.113.7')).toBe(false);
  });

  test('restricts the pod, probes both addresses, and waits for the bot to finish its work', () => {
    expect(text).toContain('"path":"/healthz"');
    expect(text).toContain('"path":"/readyz"');
    for (const part of [
      '"runAsNonRoot":true',
      '"readOnlyRootFilesystem":true',
      '"drop":["ALL"]',
      '"allowPrivilegeEscalation":false',
    ])
      expect(text).toContain(part);
    const [, seconds] = /STOP_TIMEOUT_MS = (\d+)_000/.exec(readText('src/main.ts')) ?? [];
    const [, grace] = /"terminationGracePeriodSeconds":(\d+)/.exec(text) ?? [];
    expect(Number(grace)).toBeGreaterThan(Number(seconds));
  });

  const kubectl = spawnLimited('kubectl', ['kustomize', join(ROOT, MANIFESTS, folder)]);
  test.skipIf(kubectl.status !== 0)('is built as kubectl builds it', () => {
    const sorted = (list: readonly unknown[]) => list.map((one) => textOf(canonical(one))).toSorted();
    const theirs = parseAllDocuments(kubectl.stdout).map((document): unknown => document.toJS());
    expect(sorted(manifests)).toEqual(sorted(theirs));
  });
});

/** Without the order of members and of lists, which means nothing here. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value))
    return value.map((one) => canonical(one)).toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : 1));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, one]) => [key, canonical(one)]),
  );
}
