/** `npm run build`: bundles bot, doctor and backup program with their packages, for a faster start and less memory. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import packageJson from '../../../package.json' with { type: 'json' };
import { boltPlugin } from './bolt-plugin.ts';
import { compactPlugin } from './compact-plugin.ts';
import { dateFnsPlugin } from './date-fns-plugin.ts';
import { COMPILE_CACHE_FOLDER, FINGERPRINT_FILE, fingerprintSources } from './fingerprint.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** See `src/main.ts`. */
const STATUS_WITHOUT_SETTINGS = 2;
const PACKAGES = 'packages';
/** Loaded only if `MCP` is set. */
const TOOLS = 'tools-packages';

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
  plugins: [dateFnsPlugin, boltPlugin(), compactPlugin([PACKAGES, TOOLS])],
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
      // The packages of both come first, so that the bot does not load the tools for them.
      { name: PACKAGES, test: /node_modules\/(?!@modelcontextprotocol\/)/, priority: 1 },
      { name: TOOLS, test: /node_modules/ },
    ],
  },
});
const dist = join(ROOT, 'dist');

/**
 * Without settings the bot ends once its modules are loaded, and Node keeps their compiled code for later starts with the
 * same options: each set of options of V8 has a cache of its own.
 */
function keepCompiledCode(options: readonly string[]): void {
  const env = { NODE_COMPILE_CACHE: join(dist, COMPILE_CACHE_FOLDER) };
  const { status, stderr } = spawnSync(process.execPath, [...options, 'main.js'], { cwd: dist, env, encoding: 'utf8' });
  if (status !== STATUS_WITHOUT_SETTINGS) throw new Error(`The bundle does not start: ${stderr}`);
}

const [, ...words] = packageJson.scripts.start.split(' ');
keepCompiledCode(words.filter((word) => word.startsWith('--')));
// The doctor and the other programs run without options, and share most of the code.
keepCompiledCode([]);
// Last: a build that broke off is no bundle for `npm start`.
writeFileSync(join(dist, FINGERPRINT_FILE), fingerprintSources(ROOT));
