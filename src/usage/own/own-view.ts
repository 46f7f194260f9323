import { plainLines, markup } from '../../base/text/markup.ts';
import { formatPeriod } from '../../base/time/calendar.ts';
import { note, prose, type AnyParagraph, type Paragraph } from '../../slack/blocks/paragraphs.ts';
import { context, section } from '../../slack/blocks/blocks.ts';
import { ownLines, type OwnReport } from './own-report.ts';

/** The person’s own month in App Home, one fact a line. */
export function ownMonth(report: OwnReport): AnyParagraph[] {
  const { point, limit, trend, notes } = ownLines(report);
  const number = /^[\d.]+(?: [KMBT])?/.exec(point)?.[0] ?? '';
  const first = number === '' ? markup`${point}` : markup`*${number}* ${point.slice(number.length)}`;
  const warning = limit.startsWith('⚠️') ? plainLines(limit) : [];
  return [
    prose([...warning, first, ...plainLines(...(warning.length > 0 ? [] : [limit]), ...trend)]),
    note(
      [`${formatPeriod(report.period, report.today)}, UTC days, through the latest published day.`, ...notes].join(' '),
    ),
  ];
}

/** The same below the person’s own figures of another period. */
export function ownParagraph(report: OwnReport): Paragraph {
  const { point, limit, trend, notes } = ownLines(report);
  const lines = [limit, ...trend];
  return {
    blocks: [
      section([markup`*This month:* ${point}`, ...lines.map((line) => markup`${line}`)]),
      ...notes.map((text) => context(markup`${text}`)),
    ],
    lines: [`This month: ${point}`, ...lines, ...notes],
  };
}
