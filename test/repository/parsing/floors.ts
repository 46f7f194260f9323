import { localImports, type SourceFile } from './sources.ts';

/**
 * The floors, from the ground up; a file imports its own floor and those below. Features are all on one floor and do
 * not know each other.
 */
const FLOORS = [
  ['base', 'http'],
  ['store'],
  ['platform'],
  ['outbox', 'schedule'],
  ['analytics'],
  ['slack'],
  ['disclosure', 'figures', 'services', 'watches'],
  ['feature'],
  [
    'alerts',
    'ask',
    'backup',
    'computers',
    'controls',
    'digests',
    'doctor',
    'erasure',
    'exports',
    'limits',
    'manifest',
    'readiness',
    'retention',
    'sessions',
    'status',
    'usage',
  ],
  ['app'],
  ['main', 'bundle', 'release', 'sandbox'],
  ['start'],
] as const;
/** Programs import no other program of their floor. */
const PROGRAMS = FLOORS.length - 2;
export const FEATURES = 8;

/** The folders and files of `src/usage/`, from the ground up: each imports those before it. */
export const USAGE_ORDER = [
  'own',
  'usage-command',
  'subject',
  'usage-deps',
  'reports',
  'views',
  'teams',
  'usage-facts',
  'digest',
  'explain',
  'export',
  'usage-view',
  'catalogue',
  'digest-sections',
  'answer-actions',
  'answer',
  'compare',
  'explain-answer',
  'send-csv',
  'share',
  'home-section',
  'index',
];

/** `src/usage/index.ts` belongs to `usage`, `src/app.ts` to `app`, `src/base/time/clock.ts` to `base`. */
export const partOf = (path: string, depth = 1): string => (path.split('/')[depth] ?? '').replace(/\.ts$/, '');

export const floorOf = (part: string): number => FLOORS.findIndex((parts) => parts.some((one) => one === part));

/** Whether a file of one part may import a file of the other. */
function isAllowed(from: string, to: string): boolean {
  if (from === to) return true;
  if (to === 'sandbox') return false;
  return floorOf(from) === FEATURES || floorOf(from) === PROGRAMS
    ? floorOf(to) < floorOf(from)
    : floorOf(to) <= floorOf(from);
}

export function forbiddenImports(sources: readonly SourceFile[]): string[] {
  return sources.flatMap((file) =>
    localImports(file)
      .filter((target) => !isAllowed(partOf(file.path), partOf(target)))
      .map((target) => `${file.path} imports ${target}`),
  );
}

export const isInUsage = (path: string): boolean => path.startsWith('src/usage/');
const placeInUsage = (path: string): number => USAGE_ORDER.indexOf(partOf(path, 2));

export const upwardImportsInUsage = (sources: readonly SourceFile[]): string[] =>
  sources
    .filter(({ path }) => isInUsage(path))
    .flatMap((file) =>
      localImports(file)
        .filter((target) => isInUsage(target) && placeInUsage(target) > placeInUsage(file.path))
        .map((target) => `${file.path} imports ${target}`),
    );
