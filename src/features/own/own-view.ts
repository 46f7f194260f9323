import { plainLines, markup } from '../../core/base/text/markup.ts';
import { formatPeriod, type Period } from '../../core/base/time/calendar.ts';
import { note, prose, type AnyParagraph, type Paragraph } from '../../core/slack/blocks/paragraphs.ts';
import { context, section } from '../../core/slack/blocks/blocks.ts';
import { ownLines, type OwnReport } from './own-report.ts';

/** The person’s own month in App Home, one fact a line. */
export function ownMonth(report: OwnReport, limit: AnyParagraph): AnyParagraph[] {
  const { point, trend, notes } = ownLines(report);
  const number = /^[\d.]+(?: [KMBT])?/.exec(point)?.[0] ?? '';
  const first = number === '' ? markup`${point}` : markup`*${number}* ${point.slice(number.length)}`;
  return [
    limit,
    prose([first, ...plainLines(...trend)]),
    note(
      [`${formatPeriod(report.period, report.today)}, UTC days, through the latest published day.`, ...notes].join(' '),
    ),
  ];
}

/** The same below the person’s own figures of `answered`, whose headline is this month’s if it has the same days. */
export function ownParagraph(report: OwnReport, answered: Period): Paragraph {
  const { point, trend, notes } = ownLines(report);
  const isSaid = answered.first === report.period.first && answered.last >= report.period.last;
  const lines = [...(isSaid ? [] : [markup`*This month:* ${point}`]), ...trend.map((line) => markup`${line}`)];
  return {
    blocks: [...(lines.length === 0 ? [] : [section(lines)]), ...notes.map((text) => context(markup`${text}`))],
    lines: [...(isSaid ? [] : [`This month: ${point}`]), ...trend, ...notes],
  };
}
