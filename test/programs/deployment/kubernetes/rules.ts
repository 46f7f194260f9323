import { z } from 'zod';
import type { Manifest } from './kustomize.ts';

export const MANIFESTS = 'docs/operating/kubernetes';
export const FOLDERS = ['base', 'http', 'sqlite'] as const;

const deploymentSchema = z.looseObject({
  spec: z.looseObject({
    replicas: z.number(),
    strategy: z.looseObject({ type: z.string() }),
    template: z.looseObject({
      spec: z.looseObject({
        containers: z.array(z.looseObject({ env: z.array(z.looseObject({ name: z.string(), value: z.string() })) })),
      }),
    }),
  }),
});
const claimSchema = z.looseObject({ spec: z.looseObject({ accessModes: z.array(z.string()) }) });

/** An SQLite file belongs to one process: two replicas need Postgres. Pure. */
export function problemsOfStore(manifests: readonly Manifest[]): string[] {
  const { spec } = deploymentSchema.parse(manifests.find(({ kind }) => kind === 'Deployment'));
  const { accessModes } = claimSchema.parse(manifests.find(({ kind }) => kind === 'PersistentVolumeClaim')).spec;
  const [container] = spec.template.spec.containers;
  const variables = new Map(container?.env.map(({ name, value }) => [name, value]));
  const isSqlite = variables.get('DATABASE_URL')?.startsWith('file:') === true;
  if (!isSqlite) return variables.has('DATABASE_URL_FILE') ? [] : ['The store has no address'];
  return [
    ...(spec.replicas === 1 ? [] : [`SQLite with ${spec.replicas} replicas: run one, or use Postgres`]),
    ...(spec.strategy.type === 'Recreate' ? [] : ['SQLite needs the strategy Recreate']),
    ...(accessModes.join(',') === 'ReadWriteOncePod' ? [] : ['SQLite needs a volume that only one pod can use']),
    ...(variables.has('DATABASE_URL_FILE') ? ['The store has two addresses'] : []),
  ];
}

const selectorSchema = z.looseObject({ matchLabels: z.record(z.string(), z.string()) });
const peerSchema = z.looseObject({
  namespaceSelector: selectorSchema.optional(),
  ipBlock: z.looseObject({ cidr: z.string() }).optional(),
});
const policySchema = z.looseObject({
  spec: z.looseObject({
    policyTypes: z.array(z.string()),
    egress: z
      .array(
        z.looseObject({
          to: z.array(peerSchema).optional(),
          ports: z.array(z.looseObject({ protocol: z.string(), port: z.number() })),
        }),
      )
      .default([]),
  }),
});

interface Target {
  port: number;
  protocol: 'TCP' | 'UDP';
  ip: string;
  /** The namespace of its pod; undefined for an address that belongs to no pod. */
  namespace: string | undefined;
}

/** Whether the network policies let a packet of the pod leave. Pure. */
export function mayLeave(manifests: readonly Manifest[], { port, protocol, ip, namespace }: Target): boolean {
  const policies = manifests.filter(({ kind }) => kind === 'NetworkPolicy').map((one) => policySchema.parse(one).spec);
  const rules = policies.filter(({ policyTypes }) => policyTypes.includes('Egress')).flatMap(({ egress }) => egress);
  return rules.some(
    ({ to, ports }) =>
      ports.some((one) => one.port === port && one.protocol === protocol) &&
      (to === undefined || to.some((peer) => isPeer(peer, ip, namespace))),
  );
}

const NAME_OF_NAMESPACE = 'kubernetes.io/metadata.name';

function isPeer({ namespaceSelector, ipBlock }: z.infer<typeof peerSchema>, ip: string, namespace?: string): boolean {
  if (namespaceSelector) return namespaceSelector.matchLabels[NAME_OF_NAMESPACE] === namespace;
  const [network = '', length = '32'] = ipBlock?.cidr.split('/') ?? [];
  const bits = (address: string) =>
    address
      .split('.')
      .map((part) => Number(part).toString(2).padStart(8, '0'))
      .join('');
  return bits(network).slice(0, Number(length)) === bits(ip).slice(0, Number(length));
}
