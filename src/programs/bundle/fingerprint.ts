import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The name of the file in `dist` that says from which sources it was built. */
export const FINGERPRINT_FILE = 'sources.sha256';

/** The folder in `dist` with the compiled code of the bundle, which makes a start a fifth faster. */
export const COMPILE_CACHE_FOLDER = 'compile-cache';

/** Of everything that a bundle is built from: the sources and the exact versions of the packages. */
export function fingerprintSources(root: string): string {
  const hash = createHash('sha256');
  for (const path of [...globSync('src/**/*.ts', { cwd: root }).toSorted(), 'package-lock.json'])
    hash.update(`${path}\n`).update(readFileSync(join(root, path)));
  return hash.digest('hex');
}
