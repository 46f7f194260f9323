import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';

export type Manifest = { apiVersion: string; kind: string; metadata: { name: string } } & Record<string, unknown>;
type Json = Record<string, unknown>;

const manifestSchema = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string() }),
});
/** The parts of a kustomization that are used here. */
const kustomizationSchema = z.strictObject({
  apiVersion: z.literal('kustomize.config.k8s.io/v1beta1'),
  kind: z.literal('Kustomization'),
  resources: z.array(z.string()),
  patches: z.array(z.strictObject({ path: z.string() })).default([]),
});

/** @throws an error that names the file, if it is no YAML or no manifest */
function readManifests(path: string): Manifest[] {
  return parseAllDocuments(readFileSync(path, 'utf8'), { uniqueKeys: true }).map((document) => {
    if (document.errors.length > 0) throw new Error(`${path}: ${document.errors[0]?.message}`);
    return manifestSchema.parse(document.toJS(), { error: () => `${path} is no manifest` });
  });
}

/** Builds a folder as `kubectl kustomize` does, for the few features that these folders use. */
export function build(folder: string): Manifest[] {
  const path = join(folder, 'kustomization.yaml');
  const { resources, patches } = kustomizationSchema.parse(
    parseAllDocuments(readFileSync(path, 'utf8'))[0]?.toJS() ?? {},
  );
  const manifests = resources.flatMap((resource) =>
    resource.endsWith('.yaml') ? readManifests(join(dirname(path), resource)) : build(join(folder, resource)),
  );
  return patches
    .flatMap(({ path: patch }) => readManifests(join(folder, patch)))
    .reduce((built, patch) => applyPatch(built, patch), manifests);
}

function applyPatch(manifests: readonly Manifest[], patch: Manifest): Manifest[] {
  const isTarget = (one: Manifest) =>
    one.apiVersion === patch.apiVersion && one.kind === patch.kind && one.metadata.name === patch.metadata.name;
  if (!manifests.some((one) => isTarget(one)))
    throw new Error(`Nothing to patch: ${patch.kind} ${patch.metadata.name}`);
  if (patch['$patch'] === 'delete') return manifests.filter((one) => !isTarget(one));
  return manifests.map((one) => (isTarget(one) ? manifestSchema.parse(merge(one, patch)) : one));
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function merge(base: unknown, patch: unknown): unknown {
  if (Array.isArray(base) && Array.isArray(patch) && isNamed(base) && isNamed(patch)) return mergeNamed(base, patch);
  if (!isObject(base) || !isObject(patch)) return patch;
  const { $patch: how, ...changes } = patch;
  if (how === 'replace') return changes;
  const merged = Object.entries(changes).map(([key, value]) => [key, key in base ? merge(base[key], value) : value]);
  return { ...base, ...Object.fromEntries(merged) };
}

const isNamed = (list: readonly unknown[]): list is (Json & { name: string })[] =>
  list.every((one) => isObject(one) && typeof one['name'] === 'string');

/** Lists of containers, variables and volumes are merged by name. */
function mergeNamed(
  base: readonly (Json & { name: string })[],
  patch: readonly (Json & { name: string })[],
): unknown[] {
  const patches = new Map(patch.map((one) => [one.name, one]));
  const isDeleted = ({ name }: { name: string }) => patches.get(name)?.['$patch'] === 'delete';
  const kept = base.filter((one) => !isDeleted(one)).map((one) => merge(one, patches.get(one.name) ?? {}));
  const names = new Set(base.map(({ name }) => name));
  return [...kept, ...patch.filter((one) => !names.has(one.name) && !isDeleted(one))];
}
