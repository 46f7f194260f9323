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
