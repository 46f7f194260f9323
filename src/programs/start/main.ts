/**
 * `npm start`: runs the bundle of `npm run build`, which starts faster and uses less memory, if it was built from these
 * very sources; after an update without a build it runs the sources.
 */
import { existsSync, readFileSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { COMPILE_CACHE_FOLDER, FINGERPRINT_FILE, fingerprintSources } from '../bundle/fingerprint.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const FINGERPRINT = join(ROOT, 'dist', FINGERPRINT_FILE);

const isBundleCurrent = existsSync(FINGERPRINT) && readFileSync(FINGERPRINT, 'utf8') === fingerprintSources(ROOT);
if (isBundleCurrent) enableCompileCache(join(ROOT, 'dist', COMPILE_CACHE_FOLDER));
await (isBundleCurrent ? import(pathToFileURL(join(ROOT, 'dist/main.js')).href) : import('../../main.ts'));
