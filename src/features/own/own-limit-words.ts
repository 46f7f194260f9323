import { joinMarkup, markup, mention, type Markup } from '../../core/base/text/markup.ts';
import { formatCompact, formatRange } from '../../core/base/text/numbers.ts';
import { formatDate, formatPeriod, type Day } from '../../core/base/time/calendar.ts';
import type { LimitPeriod } from '../../core/base/settings/config.ts';
import type { ExistingLimit } from '../../core/figures/known-limit.ts';
import { limitNote } from '../../core/figures/measures/sentences.ts';
import { section } from '../../core/slack/blocks/blocks.ts';
import type { AnyParagraph } from '../../core/slack/blocks/paragraphs.ts';
import type { LimitCourse } from './own-limit.ts';
import type { Outlook } from './own-outlook.ts';

export interface LimitReader {
  slackId: string;
  /** The Slack ids of the admins, who can supply a missing limit or period. */
  admins: readonly string[];
  today: Day;
}

const BAR_CELLS = 10;
const MAX_ADMINS = 3;

/** “Will I run out?” in one line. The bar is only drawn, because a screen reader would spell it out. */
export function limitLine(course: LimitCourse, reader: LimitReader): AnyParagraph {
  const words = courseWords(course, reader);
  const bar = course.kind === 'counted' ? markup`${barOf(course.used, course.limit.value)} ` : markup``;
  return { blocks: [section(joinMarkup([bar, words], ''))], lines: [words] };
}

/** Full only if the limit is reached. @example barOf(4_200_000, 5_000_000) // '████████░░' */
export function barOf(used: number, limit: number): string {
  const cells = used >= limit ? BAR_CELLS : Math.floor((used / limit) * BAR_CELLS);
  return '█'.repeat(cells) + '░'.repeat(BAR_CELLS - cells);
}

function courseWords(course: LimitCourse, reader: LimitReader): Markup {
  switch (course.kind) {
    case 'no_limit':
      return markup`Your limit isn’t known here. ${whoCan(reader, 'declare it', markup`Declare it with \`/limits declare\`.`)}`;
    case 'no_period':
      return markup`Your limit is ${limitWords(course.limit, reader.today)}. Per week or per month? ${whoCan(reader, 'choose', markup`Choose in \`/quartermaster\`.`)}`;
    case 'not_counted':
      return markup`Your limit is ${limitWords(course.limit, reader.today)} each ${course.unit}. Personal figures aren’t kept for a whole ${course.unit}, so its use isn’t known.`;
    case 'counted': {
      const { used, limit, unit, outlook, hasPublishedDay } = course;
      const [spent, most] = [formatCompact(used), formatCompact(limit.value)];
      const period = `this ${unit}${limitNote(limit, reader.today)}`;
      if (outlook.kind === 'over') return markup`⚠️ Over your limit: *${spent} of ${most}* ${period}`;
      if (outlook.kind === 'used_up') return markup`⚠️ Your limit is used up: *${spent} of ${most}* ${period}`;
      const ahead = `${hasPublishedDay ? '' : NONE_PUBLISHED}${outlookWords(course, outlook, reader.today)}`;
      return markup`*${spent} of your ${most}* ${period} · ${ahead}`;
    }
    default:
      return course satisfies never;
  }
}

const limitWords = (limit: ExistingLimit, today: Day): string =>
  `${formatCompact(limit.value)}${limitNote(limit, today)}`;

function whoCan({ slackId, admins }: LimitReader, what: string, ownWay: Markup): Markup {
  if (admins.includes(slackId)) return ownWay;
  if (admins.length === 0) return markup`An admin can ${what}.`;
  const mentions = admins.slice(0, MAX_ADMINS).map((id) => mention(id));
  return markup`${joinMarkup(mentions, ' or ')} can ${what}.`;
}

type Course = Exclude<Outlook, { kind: 'over' | 'used_up' }>;

const NONE_PUBLISHED = 'none of its days is published yet, ';

function outlookWords(
  { unit, hasPublishedDay }: { unit: LimitPeriod; hasPublishedDay: boolean },
  outlook: Course,
  today: Day,
): string {
  const pace = hasPublishedDay ? 'at this pace' : 'at your recent pace';
  switch (outlook.kind) {
    case 'reached': {
      const { on, earliest, latest } = outlook;
      const likely =
        latest === undefined
          ? `${formatDate(earliest, today)} or later`
          : formatPeriod({ first: earliest, last: latest }, today);
      const range = earliest === latest ? '' : ` (likely ${likely})`;
      return `${pace} you reach it on ${formatDate(on, today)}${range}`;
    }
    case 'lasts': {
      const { byEnd, likely } = outlook;
      const range = likely && formatRange(likely.lower, likely.upper, '–');
      const words = range === undefined || range === formatCompact(byEnd) ? '' : ` (likely ${range} by then)`;
      return `${pace} it lasts until the end of the ${unit}${words}`;
    }
    case 'open':
      return 'too few days for a forecast';
    default:
      return outlook satisfies never;
  }
}
