import type { Column } from '../../../core/base/text/columns.ts';
import type { Cell } from '../../../core/slack/blocks/blocks.ts';
import {
  chartParagraph,
  headline,
  list,
  note,
  numberCell,
  sentence,
  table,
  type Paragraph,
  noteAt,
} from '../../../core/slack/blocks/paragraphs.ts';
import { clip, withRest } from '../../../core/base/text/markup.ts';
import { countOf, formatNumber, formatShare } from '../../../core/base/text/numbers.ts';
import type { Criterion, Detail, EasyFix } from '../reports/detail.ts';
import { marksOf } from '../reports/reports-fold.ts';
import {
  ageWords,
  changeWords,
  criteriaChange,
  criterionWords,
  dateWords,
  dayWords,
  percentOf,
  scoreWords,
} from './sentences.ts';

const MAX_FAILING = 5;
const MAX_RATIONALE_LENGTH = 200;
const MAX_APPS = 10;
/** Slack draws at most this many points. */
const MAX_POINTS = 20;

/** The summary of a repository for decisions: its score, easiest fixes, changes and failures. */
export function detailParagraphs(detail: Detail, readAt: Date): Paragraph[] {
  const { criteria, better, worse } = detail;
  const failing = criteria.filter((criterion) => !criterion.isPassed);
  return [
    headline(scoreWords(detail.score), sinceWords(detail, readAt)),
    list('Easiest fixes', detail.easiestFixes.map(easyFixWords)),
    list('Worse than in the previous report', worse.map(criterionWords)),
    list('Better than in the previous report', better.map(criterionWords)),
    list(
      'What fails',
      withRest(failing.map(failingWords), MAX_FAILING, (count) => `${formatNumber(count)} more under Details`),
    ),
    note(failing.length === 0 && criteria.length > 0 ? 'Every criterion passes.' : ''),
  ];
}

/** The rest: history, every criterion, and the origin of the report. */
export function restParagraphs(detail: Detail, readAt: Date): Paragraph[] {
  return [
    ...historyParagraphs(detail),
    table({
      caption: 'Criteria, failing first',
      columns: CRITERION_COLUMNS,
      rows: detail.criteria,
      pageSize: 10,
    }),
    note(skippedWords(detail)),
    ...appParagraphs(detail),
    sourceWords(detail, readAt),
  ];
}

function sinceWords({ comparison, latest }: Detail, now: Date): string {
  const age = `from ${dayWords(latest.createdAt)} (${ageWords(latest.createdAt, now)}).`;
  switch (comparison.kind) {
    case 'compared': {
      const { change, previous } = comparison;
      return `${capital(changeWords(change))} since ${dayWords(previous.createdAt)}${criteriaChange(comparison)}. Latest report ${age}`;
    }
    case 'first':
      return `First report ${age}`;
    case 'first_of_branch':
      return `First report of ${latest.branch ? `branch ${clip(latest.branch, 60)}` : 'no named branch'}, ${age}`;
    case 'marked':
      return `Latest report ${age} Not compared, because it has ${comparison.marks.join(' and ')}.`;
    case 'other_criteria':
      return `Latest report ${age} Not compared, because no criterion is in both.`;
    default:
      return comparison satisfies never;
  }
}

/** Only the first line explains the share. */
function easyFixWords({ criterion, missing, passedElsewhere, reportedElsewhere }: EasyFix, index: number): string {
  // A single application needs no count.
  const where = criterion.denominator === 1 ? [] : [`missing in ${countOf(missing, 'sub-application')}`];
  const others =
    reportedElsewhere === 0
      ? []
      : [
          `${formatShare(passedElsewhere, reportedElsewhere)} ${index === 0 ? 'of the other repositories pass it' : 'pass it'}`,
        ];
  const words = [...where, ...others].join('; ');
  return words === '' ? criterionWords(criterion.id) : `${criterionWords(criterion.id)}: ${words}`;
}

function failingWords(criterion: Criterion): string {
  const { id, numerator, denominator, rationale, since } = criterion;
  const from = since === undefined ? 'since the first report' : `since ${dayWords(since)}`;
  const why = rationale.trim() === '' ? '' : `. ${clip(rationale.trim(), MAX_RATIONALE_LENGTH)}`;
  const part = denominator === 1 ? '' : `: ${formatNumber(numerator)} of ${formatNumber(denominator)} pass`;
  return `${criterionWords(id)}${part}, ${from}${why}`;
}

const MAX_SKIPPED = 10;

function skippedWords({ skipped }: Detail): string {
  if (skipped.length === 0) return '';
  const names = skipped.slice(0, MAX_SKIPPED).map((id) => clip(criterionWords(id), 40));
  const more = skipped.length > names.length ? ` and ${formatNumber(skipped.length - names.length)} more` : '';
  return `Not evaluated, and in no share: ${names.join(', ')}${more}.`;
}

const CRITERION_COLUMNS: readonly Column<Criterion, Cell>[] = [
  { title: 'Criterion', cell: ({ id }) => clip(criterionWords(id), 80) },
  { title: 'Passes', cell: ({ numerator }) => numberCell(numerator) },
  { title: 'Of', cell: ({ denominator }) => numberCell(denominator) },
  { title: 'Since', cell: ({ since }) => (since === undefined ? 'first report' : dateWords(since)) },
];

function historyParagraphs({ history }: Detail): Paragraph[] {
  const points = history.slice(-MAX_POINTS);
  return [
    chartParagraph({
      kind: 'line',
      title: 'Readiness in percent',
      categories: points.map(({ createdAt }) => dateWords(createdAt)),
      series: [{ name: 'Checks', values: points.map(({ score }) => percentOf(score)) }],
    }),
  ];
}

const capital = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

/** Shows a path only if the repository holds several applications. */
const placeOf = (path: string) => (path === '.' || path === '' ? 'The whole repository' : clip(path, 60));

function appParagraphs({ latest }: Detail): Paragraph[] {
  const apps = Object.entries(latest.apps);
  // A single application is the repository itself.
  if (apps.length < 2) return [];
  const lines = apps.map(
    ([path, { description }]) => `${placeOf(path)}${description ? `: ${clip(description, 150)}` : ''}`,
  );
  return [
    list(
      'Applications',
      withRest(lines, MAX_APPS, (count) => `${formatNumber(count)} more`),
    ),
  ];
}

function sourceWords({ latest, repository }: Detail, readAt: Date): Paragraph {
  const { modelUsed, agentVersion, droidVersion, commitHash, branch } = latest;
  const version = agentVersion ?? droidVersion;
  const model = modelUsed?.id
    ? `model ${modelUsed.id}${modelUsed.reasoningEffort ? ` (reasoning ${modelUsed.reasoningEffort})` : ''}`
    : '';
  const facts = [
    repository.url ?? repository.label,
    branch ? `branch ${branch}` : '',
    commitHash ? `commit ${commitHash.slice(0, 12)}` : '',
    marksOf(latest).join(', '),
    model,
    version ? `agent ${version}` : '',
  ];
  return noteAt(`${facts.filter((fact) => fact !== '').join('; ')}; read`, readAt);
}

export function noMatchParagraphs(word: string, all: number): Paragraph[] {
  return [
    sentence(
      `No repository matches “${clip(word, 100)}”; ${countOf(all, 'repository has', 'repositories have')} a readiness report.`,
    ),
  ];
}
