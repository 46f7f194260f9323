import type { Interaction } from '../slack/interactions.ts';
import { csvLines } from '../csv.ts';
import { plainMessage } from '../slack/blocks/messages.ts';
import { markup } from '../markup.ts';
import { buildOverview, type OverviewRow } from './reports/overview.ts';
import type { ReadinessDeps } from './deps.ts';
import type { Readings } from './reports/reading.ts';

const HEADER = [
  'Repository',
  'Address',
  'Criteria passed',
  'Criteria',
  'Checks passed',
  'Checks',
  'Change in points',
  'Report of',
  'Commit',
  'Branch',
  'Local changes',
  'Unpushed commits',
  'Report id',
];

/** The overview as a file, by direct message. */
export async function sendOverviewCsv(
  { readings, files, clock }: ReadinessDeps & { readings: Readings },
  filter: string,
  { person, reply }: Interaction,
): Promise<void> {
  reply.progress('Reading the reports …');
  const { repositories, readAt } = await readings.all();
  const { rows } = buildOverview(repositories, filter, readAt);
  const name = `readiness-${clock.now().toISOString().slice(0, 10)}.csv`;
  const content = csvLines([HEADER, ...rows.map(lineOf)]);
  const comment = markup`The latest readiness report of each repository.`;
  await files.send({ to: { person: person.slackId }, name, title: 'Readiness', content, comment });
  await reply.add(plainMessage(`${name} is in your direct messages with Quartermaster.`));
}

function lineOf({ reports: { repository, latest }, score, change }: OverviewRow): (string | number)[] {
  const date = new Date(latest.createdAt);
  return [
    repository.label,
    repository.url ?? '',
    score.passed,
    score.criteria,
    score.numerator,
    score.denominator,
    change === undefined ? '' : Math.round(change * 1000) / 10,
    Number.isNaN(date.getTime()) ? '' : date.toISOString(),
    latest.commitHash ?? '',
    latest.branch ?? '',
    latest.hasLocalChanges ? 'yes' : '',
    latest.hasNonRemoteCommits ? 'yes' : '',
    latest.reportId,
  ];
}
