/** `npm run build`: bundles bot, doctor and backup program with their packages, for a faster start and less memory. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import packageJson from '../../../package.json' with { type: 'json' };
import { leftOutPlugin } from './left-out-plugin.ts';
import { compactPlugin } from './compact-plugin.ts';
import { dateFnsPlugin } from './date-fns-plugin.ts';
import { COMPILE_CACHE_FOLDER, STATE_FILE, stateOfSources } from '../start/bundle-state.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** See `src/main.ts`. */
const STATUS_WITHOUT_SETTINGS = 2;
const PACKAGES = 'packages';
/** Such a start takes a second. */
const START_TIMEOUT_MS = 120_000;
/** Loaded only if `MCP` is set. */
const TOOLS = 'tools-packages';
/** Loaded only if the store is on Postgres. */
const POSTGRES = 'postgres-packages';

// Before the sources are read: what changes during the build is not in the bundle.
const state = stateOfSources(ROOT);
const bundle = await rolldown({
  cwd: ROOT,
  input: {
    main: 'src/main.ts',
    doctor: 'src/programs/doctor/main.ts',
    backup: 'src/programs/backup/main.ts',
    erasure: 'src/programs/erase/main.ts',
    'sqlite-checkpoint': 'src/core/store/engines/sqlite-checkpoint.ts',
  },
  platform: 'node',
  // pg uses it if it is installed, and works without.
  external: ['pg-native'],
  plugins: [dateFnsPlugin, leftOutPlugin(), compactPlugin([PACKAGES, TOOLS, POSTGRES])],
});
await bundle.write({
  dir: 'dist',
  cleanDir: true,
  format: 'esm',
  sourcemap: true,
  sourcemapExcludeSources: true,
  entryFileNames: '[name].js',
  chunkFileNames: '[name].js',
  comments: { legal: true, annotation: false, jsdoc: false },
  codeSplitting: {
    groups: [
      { name: POSTGRES, test: /node_modules\/(?:pg|pg-[^/]+|pgpass|postgres-[^/]+)\//, priority: 2 },
      // The packages of both come first, so that the bot does not load the tools for them.
      { name: PACKAGES, test: /node_modules\/(?!@modelcontextprotocol\/)/, priority: 1 },
      { name: TOOLS, test: /node_modules/ },
    ],
  },
});
const dist = join(ROOT, 'dist');

const cacheFolder = join(dist, COMPILE_CACHE_FOLDER);
const program = join(dist, 'main.js');

function run(words: readonly string[], environment: Record<string, string>, expectedStatus: number): void {
  const env = { PATH: process.env['PATH'], ...environment };
  const limits = { timeout: START_TIMEOUT_MS, killSignal: 'SIGKILL' } as const;
  const { status, stderr } = spawnSync(process.execPath, words, { cwd: dist, env, encoding: 'utf8', ...limits });
  if (status !== expectedStatus) throw new Error(`The bundle does not start: ${stderr}`);
}

// Node keeps compiled code for later starts, for each set of options of V8 in a cache of its own. A real start compiles the
// functions that every start needs.
const options = packageJson.scripts.start.split(' ').filter((word) => word.startsWith('--'));
run([join(ROOT, 'src/sandbox/demo/first-start.ts'), cacheFolder, process.execPath, ...options, program], {}, 0);
// The doctor and the other programs run without options, and share most of the code. Without settings the bot ends at once.
run([program], { NODE_COMPILE_CACHE: cacheFolder }, STATUS_WITHOUT_SETTINGS);
// Last: a build that broke off is no bundle for `npm start`.
writeFileSync(join(dist, STATE_FILE), state);
