/** `npm run check:kubernetes`: builds each folder of manifests, and validates what comes out of it. */
import { join } from 'node:path';
import { ROOT } from '../../../repository/parsing/sources.ts';
import { build } from './kustomize.ts';
import { FOLDERS, MANIFESTS, problemsOfStore } from './rules.ts';
import { validate } from './validate.ts';

const built = FOLDERS.map((folder) => ({ folder, manifests: build(join(ROOT, MANIFESTS, folder)) }));
const problems = await validate(built.flatMap(({ manifests }) => manifests));
const lines = built.flatMap(({ folder, manifests }) => [
  ...manifests.flatMap(({ kind, metadata: { name } }) =>
    (problems.shift() ?? []).map((problem) => `${folder}: ${kind} ${name}: ${problem}`),
  ),
  ...problemsOfStore(manifests).map((problem) => `${folder}: ${problem}`),
]);
for (const line of lines) process.stderr.write(`${line}\n`);
process.stdout.write(`${built.length} folders of Kubernetes manifests, ${lines.length} problems\n`);
process.exitCode = lines.length > 0 ? 1 : 0;
