import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from '../../../repository/parsing/sources.ts';
import type { Manifest } from './kustomize.ts';
import { spawnLimited } from '../../../support/processes/limited.ts';

/** The published schemas of Kubernetes: `kubernetes-models` holds each kind as a type and as a validator. */
const modelOf = ({ apiVersion, kind }: Manifest): string => `kubernetes-models/${apiVersion}/${kind}`;

/**
 * Validates manifests against the published schemas. The types refuse unknown members, missing ones and wrong types; the
 * validators also refuse unknown values.
 *
 * @returns the problems of each manifest, in their order
 */
export async function validate(manifests: readonly Manifest[]): Promise<string[][]> {
  const known = manifests.map((manifest) => isKnown(manifest));
  const typed = checkTypes(manifests.filter((_, index) => known[index]));
  return Promise.all(
    manifests.map(async (manifest, index) => {
      if (!known[index]) return [`There is no kind ${manifest.kind} in ${manifest.apiVersion}`];
      return [...(typed.get(manifest) ?? []), ...(await checkValues(manifest))];
    }),
  );
}

function isKnown(manifest: Manifest): boolean {
  try {
    return existsSync(fileURLToPath(import.meta.resolve(modelOf(manifest))));
  } catch {
    return false;
  }
}

/** A literal of an object is checked for unknown members at every depth. */
function checkTypes(manifests: readonly Manifest[]): Map<Manifest, string[]> {
  const cache = join(ROOT, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'kubernetes-'));
  try {
    for (const [index, manifest] of manifests.entries()) writeFileSync(join(folder, `${index}.ts`), sourceOf(manifest));
    const compilerOptions = {
      strict: true,
      noEmit: true,
      module: 'nodenext',
      target: 'esnext',
      skipLibCheck: true,
      types: [],
    };
    const files = manifests.map((_, index) => `${index}.ts`);
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
    const { stdout, status } = spawnLimited(process.execPath, [compiler, '-p', folder, '--pretty', 'false']);
    const problems = new Map<Manifest, string[]>();
    for (const [, name, message = ''] of stdout.matchAll(/^\S*?(\d+)\.ts\(\d+,\d+\): error (.*)$/gm)) {
      const manifest = manifests[Number(name)];
      if (manifest) problems.set(manifest, [...(problems.get(manifest) ?? []), message.replaceAll('"', '')]);
    }
    if (status !== 0 && problems.size === 0) throw new Error(`The types could not be checked: ${stdout}`);
    return problems;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const sourceOf = (manifest: Manifest): string =>
  [
    `import type { I${manifest.kind} } from '${modelOf(manifest)}';`,
    `export const manifest: I${manifest.kind} = ${JSON.stringify(manifest, undefined, 2)};`,
    '',
  ].join('\n');

async function checkValues(manifest: Manifest): Promise<string[]> {
  const module: unknown = await import(modelOf(manifest));
  const model = modelIn(module, manifest.kind);
  try {
    new model(manifest).validate();
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

type Model = new (data: unknown) => { validate(): void };

function modelIn(module: unknown, kind: string): Model {
  const model: unknown = typeof module === 'object' && module !== null ? Reflect.get(module, kind) : undefined;
  if (!isModel(model)) throw new Error(`kubernetes-models has no ${kind}`);
  return model;
}

const isModel = (value: unknown): value is Model => typeof value === 'function';
