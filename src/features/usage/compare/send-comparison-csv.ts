import type { Column } from '../../../core/base/text/columns.ts';
import { csvHeader, csvRows, type CsvCell } from '../../../core/base/text/csv.ts';
import type { Interaction } from '../../../core/slack/interactions/interactions.ts';
import { audienceOf } from '../../../core/slack/people/audience.ts';
import { withoutProgress } from '../answer.ts';
import { deliverFile, isClick } from '../send-csv.ts';
import type { UsageDeps } from '../usage-deps.ts';
import { answerComparison } from './answer-comparison.ts';
import type { SideFigures } from './comparison.ts';
import type { ComparisonRequest } from './comparison-words.ts';

/** Sends the credits of both sides as a file: by day, or their sum if only that may be shown. */
export async function sendComparisonCsv(
  deps: UsageDeps,
  request: ComparisonRequest,
  original: Interaction,
): Promise<void> {
  const interaction = isClick(original) ? withoutProgress(original) : original;
  const readers = audienceOf(interaction.person);
  const answer = await answerComparison(deps, { request, readers }, interaction);
  if (answer.kind === 'refusal') return interaction.reply.add(answer.message);
  const { comparison, names } = answer;
  const [one, other] = comparison.sides;
  const content = csvHeader(COLUMNS) + csvRows(COLUMNS, comparison.sides.flatMap(rowsOfSide));
  const file = {
    name: `usage-comparison-${one.period.first}-to-${one.period.last}.csv`,
    title: `Comparison of ${one.label} and ${other.label}`,
    content,
    hasNames: names !== 'nobody',
  };
  await deliverFile(deps, file, names === 'nobody' ? [] : names.of, interaction);
}

interface ComparedRow {
  side: SideFigures;
  /** Empty for the sum of all days. */
  day: string;
  credits: number;
}

const COLUMNS: readonly Column<ComparedRow, CsvCell>[] = [
  { title: 'Side', cell: ({ side }) => side.label },
  { title: 'First day', cell: ({ side }) => side.period.first },
  { title: 'Last day', cell: ({ side }) => side.period.last },
  { title: 'Day', cell: ({ day }) => day },
  { title: 'Standard Credits', cell: ({ credits }) => credits },
];

function rowsOfSide(side: SideFigures): ComparedRow[] {
  if (side.published.length > 0) return side.published.map(({ date, credits }) => ({ side, day: date, credits }));
  return side.credits === undefined ? [] : [{ side, day: '', credits: side.credits }];
}
