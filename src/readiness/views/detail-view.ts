import type { Column } from '../../base/columns.ts';
import type { Cell } from '../../slack/blocks/blocks.ts';
import {
  drawing,
  headline,
  list,
  note,
  numberCell,
  sentence,
  table,
  type Paragraph,
} from '../../slack/blocks/paragraphs.ts';
import { clip, utcTime } from '../../base/markup.ts';
import { countOf, formatNumber, formatShare } from '../../base/numbers.ts';
import type { Criterion, Detail, Win } from '../reports/detail.ts';
import { marksOf } from './overview-view.ts';
import { partOf } from '../reports/scores.ts';
import {
  ageWords,
  changeWords,
  checksCell,
  criteriaWords,
  criterionWords,
  dateWords,
  percentOf,
  scoreWords,
} from './sentences.ts';

const MAX_FAILING = 15;
const MAX_RATIONALE_LENGTH = 200;
const MAX_APPS = 10;
/** Slack draws at most this many points. */
const MAX_POINTS = 20;

/** One repository: what fails first, and what would be cheapest to fix. */
export function detailParagraphs(detail: Detail, readAt: Date): Paragraph[] {
  const { criteria, better, worse } = detail;
  const failing = criteria.filter((criterion) => !criterion.isPassed);
  const passing = criteria.filter((criterion) => criterion.isPassed);
  return [
    headline(scoreWords(detail.score), sinceWords(detail, readAt)),
    list('Cheapest wins', detail.wins.map(winWords)),
    list('Worse than in the report before', worse.map(criterionWords)),
    list('Better than in the report before', better.map(criterionWords)),
    list(failing.length > 0 ? 'What fails' : '', failing.slice(0, MAX_FAILING).map(failingWords)),
    note(
      failing.length > MAX_FAILING ? `And ${countOf(failing.length - MAX_FAILING, 'more')}; the table has all.` : '',
    ),
    ...historyParagraphs(detail),
    table({
      caption: 'Criteria, failing first',
      columns: CRITERION_COLUMNS,
      rows: criteria,
      pageSize: 10,
    }),
    note(passing.length === criteria.length && criteria.length > 0 ? 'Every criterion passes.' : ''),
    ...appParagraphs(detail),
    note(sourceWords(detail, readAt)),
  ];
}

function sinceWords({ score, previous, latest }: Detail, now: Date): string {
  const age = `Report of ${dateWords(latest.createdAt)}, ${ageWords(latest.createdAt, now)}`;
  if (!previous) return `${age}; the first one.`;
  const change = changeWords(partOf(score) - partOf(previous.score));
  return `${age}; ${change} since ${dateWords(previous.createdAt)}.`;
}

function winWords({ criterion, missing, passedElsewhere, askedElsewhere }: Win): string {
  const others =
    askedElsewhere === 0 ? '' : `; ${formatShare(passedElsewhere, askedElsewhere)} of the other repositories pass it`;
  return `${criterionWords(criterion.id)}: missing in ${countOf(missing, 'sub-application')}${others}`;
}

function failingWords(criterion: Criterion): string {
  const { id, numerator, denominator, rationale, since } = criterion;
  const from = since === undefined ? 'ever since the first report' : `since ${dateWords(since)}`;
  const why = rationale.trim() === '' ? '' : `. ${clip(rationale.trim(), MAX_RATIONALE_LENGTH)}`;
  return `${criterionWords(id)}: ${formatNumber(numerator)} of ${formatNumber(denominator)}, ${from}${why}`;
}

const CRITERION_COLUMNS: readonly Column<Criterion, Cell>[] = [
  { title: 'Criterion', cell: ({ id }) => clip(criterionWords(id), 80) },
  { title: 'Passes', cell: ({ numerator }) => numberCell(numerator) },
  { title: 'Of', cell: ({ denominator }) => numberCell(denominator) },
  { title: 'Since', cell: ({ since }) => (since === undefined ? 'first report' : dateWords(since)) },
];

function historyParagraphs({ history }: Detail): Paragraph[] {
  const shown = history.slice(-MAX_POINTS);
  return [
    drawing({
      kind: 'line',
      title: 'Checks that pass, in percent',
      categories: shown.map(({ createdAt }) => dateWords(createdAt)),
      series: [{ name: 'Checks', values: shown.map(({ score }) => percentOf(score)) }],
    }),
    table({
      caption: shown.length < history.length ? `The last ${shown.length} reports` : 'Reports',
      columns: [
        { title: 'Day', cell: ({ createdAt }) => dateWords(createdAt) },
        { title: 'Checks', cell: ({ score }) => checksCell(score) },
        { title: 'Criteria', cell: ({ score }) => criteriaWords(score) },
      ],
      rows: shown.length < 2 ? [] : shown.toReversed(),
      pageSize: 5,
    }),
  ];
}

/** A path of its own only where the repository holds more than one application. */
const placeOf = (path: string) => (path === '.' || path === '' ? 'The whole repository' : clip(path, 60));

function appParagraphs({ latest }: Detail): Paragraph[] {
  const apps = Object.entries(latest.apps);
  const lines = apps
    .slice(0, MAX_APPS)
    .map(([path, { description }]) => `${placeOf(path)}${description ? `: ${clip(description, 150)}` : ''}`);
  const left = apps.length - lines.length;
  return [list('Applications', left > 0 ? [...lines, `${formatNumber(left)} more`] : lines)];
}

function sourceWords({ latest, repository }: Detail, readAt: Date): string {
  const { modelUsed, agentVersion, commitHash, branch } = latest;
  const model = modelUsed?.id
    ? `model ${modelUsed.id}${modelUsed.reasoningEffort ? ` (reasoning ${modelUsed.reasoningEffort})` : ''}`
    : '';
  const facts = [
    repository.url ?? repository.label,
    branch ? `branch ${branch}` : '',
    commitHash ? `commit ${commitHash.slice(0, 12)}` : '',
    marksOf(latest) === '–' ? '' : marksOf(latest),
    model,
    agentVersion ? `agent ${agentVersion}` : '',
    `read ${utcTime(readAt)}`,
  ];
  return `${facts.filter((fact) => fact !== '').join('; ')}.`;
}

/** What there is no report of. */
export function noMatchParagraphs(word: string, all: number): Paragraph[] {
  return [
    sentence(
      `There is no readiness report of “${clip(word, 100)}” among ${countOf(all, 'repository', 'repositories')}.`,
    ),
  ];
}
