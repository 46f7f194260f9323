import { dayOf, FIRST_DAY, startOfDayMs } from './calendar.ts';
import type { Edition } from './edition.ts';
import { createRandom, hash } from './random.ts';

export interface Repository {
  /** The value of the `repoId` filter. Reports do not show it. */
  repoId: string;
  repoUrl: string;
  apps: readonly string[];
  /** How the share of passed criteria changes from report to report. */
  trend: 'better' | 'steady' | 'worse';
}

export const REPOSITORIES: readonly Repository[] = [
  { repoId: 'repo_web', repoUrl: 'https://git.acme.example/acme/web', apps: ['.', 'apps/admin'], trend: 'better' },
  { repoId: 'repo_payments', repoUrl: 'https://git.acme.example/acme/payments', apps: ['.'], trend: 'worse' },
  { repoId: 'repo_mobile', repoUrl: 'https://git.acme.example/acme/mobile', apps: ['ios', 'android'], trend: 'steady' },
  {
    repoId: 'repo_data',
    repoUrl: 'https://git.acme.example/acme/data-pipelines',
    apps: ['ingest', 'reports', 'export'],
    trend: 'better',
  },
  { repoId: 'repo_infra', repoUrl: 'https://git.acme.example/acme/infrastructure', apps: ['.'], trend: 'steady' },
  { repoId: 'repo_docs', repoUrl: 'https://git.acme.example/acme/docs', apps: ['.'], trend: 'better' },
];

// The document does not list the criterion ids; these are the simulator's own choice.
const CRITERIA = [
  ['readme', 'A README says how to start.'],
  ['linter', 'A linter runs on every change.'],
  ['formatter', 'A formatter is configured.'],
  ['unit_tests', 'Unit tests cover the core.'],
  ['integration_tests', 'Integration tests run in CI.'],
  ['ci_pipeline', 'CI runs on pull requests.'],
  ['type_checking', 'Types are checked strictly.'],
  ['dependency_updates', 'Dependencies are updated by a bot.'],
  ['agent_instructions', 'An instructions file for agents exists.'],
  ['secret_scanning', 'Secrets are looked for before a merge.'],
] as const;

const AREAS = [
  ['build', 'The build'],
  ['tests', 'The tests'],
  ['style', 'The style'],
  ['docs', 'The documentation'],
  ['security', 'Security'],
  ['environment', 'The development environment'],
  ['dependencies', 'The list of dependencies'],
  ['observability', 'Observability'],
  ['review', 'Review'],
] as const;
const ASPECTS = [
  ['documented', 'is documented.'],
  ['automated', 'is automated.'],
  ['enforced', 'is enforced on each change.'],
  ['versioned', 'is versioned.'],
  ['fast', 'takes less than ten minutes.'],
  ['reported', 'is reported where people look.'],
  ['owned', 'has an owner.'],
  ['reproducible', 'is reproducible.'],
  ['agents', 'is described for agents.'],
] as const;
/** Today, 43 of 81 criteria are evaluated once for a repository, and the others for each application. */
const ONCE = 43;
const TODAYS_CRITERIA = AREAS.flatMap(([area, subject]) =>
  ASPECTS.map(([aspect, text]) => [`${area}_${aspect}`, `${subject} ${text}`] as const),
);
/** Today, about one criterion in this many does not apply to a repository and is skipped. */
const SKIPPED = 9;

const DAYS_BETWEEN_REPORTS = 24;
const MAX_REPORTS = 12;
const EFFORTS = ['low', 'medium', 'high', 'off'] as const;

export interface WireReport {
  reportId: string;
  createdAt: number;
  repoUrl: string;
  apps: Record<string, { description: string }>;
  report: Record<string, { numerator: number | null; denominator: number; rationale: string }>;
  [optional: string]: unknown;
}

/**
 * Returns the reports that exist at an instant, newest first. (Their order is not documented: the simulator's own choice.)
 *
 * @param edition today, there are more criteria, and some are skipped
 * @param repoId only those of this repository; an unknown one has none
 */
export function readinessReports(
  seed: number,
  now: Date,
  edition: Edition = 'contract',
  repoId?: string,
): WireReport[] {
  return REPOSITORIES.flatMap((repository, index) => {
    if (repoId !== undefined && repository.repoId !== repoId) return [];
    const first = FIRST_DAY + 6 + index * 3;
    const count = Math.min(MAX_REPORTS, Math.floor((dayOf(now) - first) / DAYS_BETWEEN_REPORTS) + 1);
    return Array.from({ length: Math.max(0, count) }, (_, step) =>
      createReport({
        seed,
        edition,
        repository,
        index,
        step,
        createdAt: startOfDayMs(first + step * DAYS_BETWEEN_REPORTS) + 34_200_000,
      }),
    );
  })
    .filter((report) => report.createdAt <= now.getTime())
    .toSorted((a, b) => b.createdAt - a.createdAt);
}

export function passingAll(one: WireReport): WireReport {
  const report = Object.entries(one.report).map(([id, criterion]) => [
    id,
    { ...criterion, numerator: criterion.numerator === null ? null : criterion.denominator },
  ]);
  return { ...one, report: Object.fromEntries(report) };
}

interface ReportSettings {
  seed: number;
  edition: Edition;
  repository: Repository;
  index: number;
  step: number;
  createdAt: number;
}

function createReport({ seed, edition, repository, index, step, createdAt }: ReportSettings): WireReport {
  const random = createRandom(seed + 11, index, step);
  const drift = { better: 0.06, steady: 0, worse: -0.07 }[repository.trend] * step;
  const chance = Math.min(0.97, Math.max(0.35, (repository.trend === 'worse' ? 0.85 : 0.5) + drift));
  const criteria = edition === 'today' ? TODAYS_CRITERIA : CRITERIA;
  const report = criteria.map(([id, text], criterion) => {
    const apps = edition === 'today' && criterion < ONCE ? repository.apps.slice(0, 1) : repository.apps;
    const denominator = apps.length;
    const isSkipped = edition === 'today' && hash(seed + 13, index, criterion) % SKIPPED === 0;
    if (isSkipped) return [id, { numerator: null, denominator, rationale: 'Skipped: it does not apply.' }] as const;
    // One draw per criterion and app, the same in each report: a passed criterion is lost only if the chance falls below it.
    const passes = apps.filter((_, app) => createRandom(seed + 12, index * 100 + criterion, app)() < chance).length;
    const missing = denominator - passes;
    const rationale = missing === 0 || denominator === 1 ? text : `${text} Missing in ${missing} of ${denominator}.`;
    return [id, { numerator: passes, denominator, rationale }] as const;
  });
  const required = {
    reportId: uuid(seed, index, step),
    createdAt,
    repoUrl: repository.repoUrl,
    apps: Object.fromEntries(repository.apps.map((path) => [path, { description: `The application in ${path}` }])),
    report: Object.fromEntries(report),
  };
  // All other members are optional in the document, so the first report of each repository omits them.
  if (step === 0) return required;
  return {
    ...required,
    commitHash: hash(seed, index, step).toString(16).padStart(8, '0').repeat(5),
    branch: random() < 0.95 ? 'main' : 'release',
    hasLocalChanges: random() < 0.1,
    hasNonRemoteCommits: random() < 0.1,
    modelUsed: { id: 'atlas-large', reasoningEffort: EFFORTS[step % EFFORTS.length] },
    // Documented under another name today.
    [edition === 'today' ? 'droidVersion' : 'agentVersion']: `1.${step}.0`,
  };
}

function uuid(seed: number, index: number, step: number): string {
  const part = (salt: number) =>
    hash(seed + salt, index, step)
      .toString(16)
      .padStart(8, '0');
  const [a, b, c, d] = [part(21), part(22), part(23), part(24)];
  return `${a}-${b.slice(0, 4)}-4${b.slice(5, 8)}-a${c.slice(1, 4)}-${c.slice(4)}${d}`;
}
