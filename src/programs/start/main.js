/**
 * `npm start`: runs the bundle of `npm run build`. This is JavaScript, because a program that begins with TypeScript loads
 * what strips the types, which takes more time and memory than everything else here.
 */
import { existsSync, readFileSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { COMPILE_CACHE_FOLDER, STATE_FILE, stateOfSources } from './bundle-state.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const DIST = join(ROOT, 'dist');
/** As `src/main.ts` ends without its settings: a supervisor need not try again. */
const STATUS_WITHOUT_BUNDLE = 2;

const stateFile = join(DIST, STATE_FILE);
if (existsSync(stateFile) && readFileSync(stateFile, 'utf8') === stateOfSources(ROOT)) {
  enableCompileCache(join(DIST, COMPILE_CACHE_FOLDER));
  await import(pathToFileURL(join(DIST, 'main.js')).href);
} else {
  const why = existsSync(stateFile) ? 'older than the sources' : 'not built yet';
  process.stderr.write(`Quartermaster cannot start: its program is ${why}. Run npm run build, then npm start again.\n`);
  process.exitCode = STATUS_WITHOUT_BUNDLE;
}
