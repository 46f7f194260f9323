import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The name of the file in `dist` that says from which sources it was built. */
export const STATE_FILE = 'sources.sha256';

/** The folder in `dist` with the compiled code of the bundle, which makes a start a fifth faster. */
export const COMPILE_CACHE_FOLDER = 'compile-cache';

/**
 * Of everything that a bundle is built from, without reading it: a file that was written since then, even with the same
 * content, counts as another one.
 *
 * @param {string} root the folder of the project
 * @returns {string}
 */
export function stateOfSources(root) {
  const hash = createHash('sha256');
  for (const path of [...sourcesIn(root, 'src').toSorted(), 'package-lock.json']) {
    const { size, mtimeMs } = statSync(join(root, path));
    hash.update(`${path} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

/**
 * A glob or a recursive reading would take 10 MB more, which the process keeps.
 *
 * @param {string} root
 * @param {string} folder
 * @returns {string[]}
 */
function sourcesIn(root, folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sourcesIn(root, path);
    return path.endsWith('.ts') ? [path] : [];
  });
}
