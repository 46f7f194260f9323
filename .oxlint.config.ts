import { readdirSync } from 'node:fs';
import { defineConfig } from 'oxlint';

/**
 * Where a file stands says what it may import: `core` nothing above it, a feature `core` and the features before it,
 * `app` and the programs all of them, and nobody the sandbox. Each list names what may import all that stands before it.
 */
const ROOMS = ['core', 'features', 'app', 'programs', 'sandbox'];
const CORE = [
  'base',
  'http',
  'store',
  'platform',
  'schedule',
  'outbox',
  'analytics',
  'slack',
  'services.ts',
  'figures',
  'watches',
  'feature.ts',
];
const FEATURES = [
  'disclosure',
  'teams',
  'own',
  'usage',
  'digests',
  'alerts',
  'controls',
  'computers',
  'readiness',
  'sessions',
  'ask',
  'limits',
  'limit-policies',
  'welcome',
  'erasure',
  'exports',
  'retention',
  'status',
  'stored-tables.ts',
];

/** The folders inside a room, from `src/` on, in the same order; `*.ts` are the files beside them. */
const INSIDE: Readonly<Record<string, readonly string[]>> = {
  'core/base': ['text', 'time', 'privacy', 'settings'],
  'core/store': ['migrations', 'engines', 'health'],
  'core/platform': ['redaction', 'transport', 'endpoints', 'capabilities'],
  'core/slack': ['client', 'commands', 'blocks', 'people', 'outbound', 'interactions', 'inbound', 'receivers'],
  'core/figures': ['insight', 'money', 'measures', 'explanation', 'groups'],
  'features/alerts': ['budgets', 'unusual-days', 'heads-ups', 'retiring-models'],
  'features/alerts/budgets': ['core', 'evaluate', 'deliver', 'manage'],
  'features/ask': ['answers', 'tokens', 'mcp', 'messages', 'words'],
  'features/computers': ['core', 'views', 'card', 'create'],
  'features/controls': ['diff', 'core', 'notices', 'poll', 'views'],
  'features/digests': ['core', 'message', 'deliver', 'manage'],
  'features/limits': [
    'core',
    'apply',
    'rights',
    'approvers',
    'card',
    'question',
    'views',
    'decide',
    'ask',
    'import',
    'simulate',
    'declare',
    'drift',
  ],
  'features/limit-policies': ['rules', 'store', 'messages', 'live', 'back-test', 'manage', 'screens'],
  'features/readiness': ['reports', 'views', 'watch'],
  'features/sessions/hooks': ['core', 'inbox', 'card', 'commands'],
  'features/usage': ['reports', 'explain', 'export', 'views', 'digest', 'compare'],
  sandbox: ['*.ts', 'slack', 'platform', 'slackbot', 'page', 'demo', 'gallery'],
};

/** They run the bot. The rest of the sandbox judges it, so it imports nothing of the bot. */
const WITH_THE_BOT: ReadonlySet<string> = new Set(['demo', 'gallery']);

const DEEPEST = 5;

for (const [folder, names] of Object.entries({ core: CORE, features: FEATURES, ...INSIDE })) {
  const found = readdirSync(new URL(`src/${folder}`, import.meta.url), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() || (!(folder in INSIDE) && entry.name.endsWith('.ts')))
    .map(({ name }) => name);
  const unlisted = new Set(found).symmetricDifference(new Set(names.filter((name) => name !== '*.ts')));
  if (unlisted.size > 0)
    throw new Error(`src/${folder} and its list in .oxlint.config.ts differ: ${[...unlisted].join(', ')}`);
}

const after = (names: readonly string[], name: string) => names.slice(names.indexOf(name) + 1);
const escaped = (name: string) => name.replaceAll('.', String.raw`\.`);

/** `names` of the folder that is `up` steps above the importing file. */
function importOf(names: readonly string[], up: number): string[] {
  if (names.length === 0) return [];
  const start = up === 0 ? String.raw`\./` : String.raw`(?:\.\./){${up}}`;
  return [`^${start}(?:${names.map((name) => (name.endsWith('.ts') ? `${escaped(name)}$` : `${name}/`)).join('|')})`];
}

/** `app` and the programs may import each other. */
function laterThan(name: string, order: readonly string[], inside = ''): string[] {
  if (order !== ROOMS || name === 'core' || name === 'features') return after(order, name);
  if (name !== 'sandbox') return ['sandbox'];
  return WITH_THE_BOT.has(inside) ? [] : ROOMS.filter((room) => room !== name);
}

/** What a path must not import, as patterns of imports from a file that many steps below `src/`. */
function forbidden(path: readonly string[], depth: number): string[] {
  return path.flatMap((name, index) => {
    const parent = path.slice(0, index).join('/');
    const order = parent === '' ? ROOMS : parent === 'core' ? CORE : parent === 'features' ? FEATURES : INSIDE[parent];
    if (order === undefined) return [];
    return importOf(laterThan(name, order, path[index + 1]), depth - index);
  });
}

const message = 'A file imports what stands before it: see the lists in .oxlint.config.ts.';

/** A later entry replaces an earlier one for the same file, so that each path repeats what holds for its parents. */
function overridesOf(path: readonly string[]) {
  const isFile = path.at(-1)?.endsWith('.ts') === true;
  const depths = isFile ? [path.length - 1] : Array.from({ length: DEEPEST }, (_, index) => path.length + index);
  return depths.map((depth) => {
    const rule: ['error', { patterns: { regex: string; message: string }[] }] = [
      'error',
      { patterns: forbidden(path, depth).map((regex) => ({ regex, message })) },
    ];
    const below = '/*'.repeat(Math.max(0, depth - path.length));
    return {
      files: [`src/${path.join('/')}${isFile ? '' : `${below}/*.ts`}`],
      rules: { 'eslint/no-restricted-imports': rule },
    };
  });
}

const importOrder = [
  ...['app', 'programs'].map((room) => [room]),
  ...CORE.map((room) => ['core', room]),
  ...FEATURES.map((room) => ['features', room]),
  ...Object.entries(INSIDE).flatMap(([parent, names]) => names.map((name) => [...parent.split('/'), name])),
].flatMap(overridesOf);

export default defineConfig({
  plugins: ['typescript', 'unicorn', 'oxc', 'import', 'promise', 'vitest'],
  categories: { correctness: 'error', suspicious: 'error', perf: 'error' },
  rules: {
    'typescript/no-explicit-any': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/no-non-null-assertion': 'error',
    'typescript/consistent-type-imports': 'error',
    'typescript/switch-exhaustiveness-check': 'error',
    'unicorn/filename-case': 'error',
    'unicorn/prefer-node-protocol': 'error',
    'unicorn/require-post-message-target-origin': 'off',
    'unicorn/no-array-sort': 'error',
    'eslint/no-await-in-loop': 'off',
    'eslint/no-underscore-dangle': 'off',
    'eslint/no-shadow': 'off',
    'import/no-unassigned-import': 'off',
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'eslint/no-console': 'error',
    'import/no-named-as-default-member': 'off',
    'oxc/no-map-spread': 'off',
  },
  overrides: [
    ...importOrder,
    {
      files: [
        'src/sandbox/**/main.ts',
        'src/programs/doctor/main.ts',
        'src/programs/release/main.ts',
        'test/bench/**',
        'test/e2e/jobs/**',
      ],
      rules: { 'eslint/no-console': 'off' },
    },
    {
      files: ['test/**'],
      rules: {
        'unicorn/consistent-function-scoping': 'off',
        'vitest/expect-expect': ['error', { assertFunctionNames: ['expect', 'fc.assert'] }],
      },
    },
  ],
  ignorePatterns: ['docs/**'],
});
