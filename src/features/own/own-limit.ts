import {
  type Day,
  type Period,
  dayOf,
  daysOf,
  formatDate,
  formatDay,
  formatMonth,
  formatPeriod,
  plusDays,
  weekdayName,
  weekdayOf,
} from '../../core/base/time/calendar.ts';
import { countOf, formatCompact, formatNumber, formatRange } from '../../core/base/text/numbers.ts';
import type { ExistingLimit, SetLimit } from '../../core/figures/known-limit.ts';
import { type ExplainedPart, type Term, termsByDay } from '../../core/figures/explanation/explanation.ts';
import type { LikelyRange } from '../../core/figures/insight/forecast.ts';
import { LEAST_DAYS, type Pace, paceOf } from '../../core/figures/insight/pace.ts';
import { type Outlook, type OwnUse, outlookOf, sumsAhead } from './own-outlook.ts';
import {
  periodEndWords,
  periodName,
  startDayOf,
  thisPeriodWords,
  unitOf,
  type LimitPeriod,
} from '../../core/base/time/limit-period-days.ts';
import { type Markup, joinMarkup, markup, mention } from '../../core/base/text/markup.ts';
import { limitNote } from '../../core/figures/measures/sentences.ts';
import { type Button, section } from '../../core/slack/blocks/blocks.ts';
import type { AnyParagraph } from '../../core/slack/blocks/paragraphs.ts';
import type { Logger } from '../../core/base/log.ts';
import type { Knowledge, OwnLimitLine } from '../../core/feature.ts';
import type { Services } from '../../core/services.ts';
import { readContacts } from '../../core/slack/people/user.ts';
import type { Person } from '../../core/slack/people/people.ts';
import { explainButton } from '../../core/figures/explanation/explanation-modal.ts';
import type { LimitFacts, OwnMonth, ReadOwn } from './own-report.ts';

/** The answer to “Will I run out?”. */
export type LimitCourse =
  | { kind: 'no_limit' }
  /** The platform shows that there is none. */
  | { kind: 'unlimited' }
  /** The platform shows several, or one that cannot be read. */
  | { kind: 'unclear' }
  | { kind: 'no_period'; limit: ExistingLimit }
  | { kind: 'not_counted'; limit: ExistingLimit; countsOver: LimitPeriod }
  | {
      kind: 'counted';
      limit: ExistingLimit;
      countsOver: LimitPeriod;
      used: number;
      outlook: Outlook;
      /** Over which the limit counts now. */
      period: Period;
      /** Without one the outlook is only the pace of the weeks before. */
      hasPublishedDay: boolean;
    };

type CountedCourse = Extract<LimitCourse, { kind: 'counted' }>;

export function decideLimitCourse({ limit, countsOver, use }: LimitFacts): LimitCourse {
  if (limit.kind === 'none') return { kind: 'no_limit' };
  if (limit.kind === 'unlimited' || limit.kind === 'unclear') return { kind: limit.kind };
  if (!countsOver) return { kind: 'no_period', limit };
  if (!use) return { kind: 'not_counted', limit, countsOver };
  const { used, period, through } = use;
  const hasPublishedDay = through >= period.first;
  return { kind: 'counted', limit, countsOver, used, outlook: outlookOf(use, limit.value), period, hasPublishedDay };
}

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
  const hasUse = course.kind === 'counted' && (course.hasPublishedDay || isSpent(course.outlook));
  const bar = hasUse ? markup`${barOf(course.used, course.limit.value)} ` : markup``;
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
    case 'unlimited':
      return markup`The platform shows no credit limit for you.`;
    case 'unclear':
      return markup`What the platform shows of your credit limit isn’t clear, so it isn’t used here.`;
    case 'no_period':
      return markup`Your limit is ${limitWords(course.limit, reader.today)}. Per week or per month? ${whoCan(reader, 'choose', markup`Choose in \`/quartermaster\`.`)}`;
    case 'not_counted':
      return markup`Your limit is ${limitWords(course.limit, reader.today)} each ${periodName(course.countsOver)}. Personal figures aren’t kept for a whole ${unitOf(course.countsOver)}, so its use isn’t known.`;
    case 'counted': {
      const { used, limit, outlook, hasPublishedDay } = course;
      const [spent, most] = [formatCompact(used), formatCompact(limit.value)];
      const period = `${thisPeriodWords(course.countsOver, course.period, reader.today)}${limitNote(limit, reader.today)}`;
      if (outlook.kind === 'over') return markup`⚠️ Over your limit: *${spent} of ${most}* ${period}`;
      if (outlook.kind === 'used_up') return markup`⚠️ Your limit is used up: *${spent} of ${most}* ${period}`;
      if (!hasPublishedDay)
        return markup`*${periodTitle(course, reader.today)}:* no figures yet. ${expectation(course, outlook, reader.today)}`;
      return markup`*${spent} of your ${most}* ${period} · ${outlookWords(course, outlook, reader.today)}`;
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

type Ahead = Exclude<Outlook, { kind: 'over' | 'used_up' }>;

const isSpent = ({ kind }: Outlook): boolean => kind === 'over' || kind === 'used_up';

function outlookWords({ countsOver, period }: CountedCourse, outlook: Ahead, today: Day): string {
  const end = periodEndWords(countsOver, period, today);
  switch (outlook.kind) {
    case 'reached':
      return `at this pace you reach it on ${reachedWords(outlook, today)}`;
    case 'lasts':
      return outlook.idleDays === undefined
        ? `at this pace it lasts until ${end}${likelyRange(outlook.likely, outlook.byEnd, ' by then')}`
        : `${idleWords(outlook.idleDays)}: if it stays so, it lasts until ${end}`;
    case 'open':
      return openWords(outlook);
    default:
      return outlook satisfies never;
  }
}

const idleWords = (days: number) => `no use in ${days === 1 ? 'the last day' : `the last ${days} days`}`;

function openWords(outlook: Extract<Ahead, { kind: 'open' }>): string {
  switch (outlook.why) {
    case 'few_days':
      return 'too few days for a forecast';
    case 'paused':
      return `${idleWords(outlook.idleDays)}, so too little is known for a forecast`;
    case 'close':
      return `too close to say: likely ${formatRange(outlook.likely.lower, outlook.likely.upper, '–')} by the end`;
    default:
      return outlook satisfies never;
  }
}

/** The same before the first figures of the period: nothing is known to be used, not even 0. */
function expectation({ limit }: CountedCourse, outlook: Ahead, today: Day): string {
  const own = `your ${limitWords(limit, today)}`;
  switch (outlook.kind) {
    case 'reached':
      return `At your recent pace, you reach ${own} on ${reachedWords(outlook, today)}.`;
    case 'lasts':
      return outlook.idleDays === undefined
        ? `At your recent pace, ${own} is enough${likelyRange(outlook.likely, outlook.byEnd, '')}.`
        : `You had ${idleWords(outlook.idleDays)}: if it stays so, ${own} is enough.`;
    case 'open':
      return outlook.why === 'few_days'
        ? `Too few days for a forecast of ${own}.`
        : `For ${own}: ${openWords(outlook)}.`;
    default:
      return outlook satisfies never;
  }
}

/** @example periodTitle({ countsOver: 'month', period }, today) // 'December' */
function periodTitle({ countsOver, period }: CountedCourse, today: Day): string {
  if (countsOver === 'month') return formatMonth(period.first, period.first);
  const words = thisPeriodWords(countsOver, period, today);
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

function reachedWords({ on, earliest, latest }: Extract<Ahead, { kind: 'reached' }>, today: Day): string {
  const likely =
    latest === undefined
      ? `${formatDate(earliest, today)} or later`
      : formatPeriod({ first: earliest, last: latest }, today);
  return `${formatDate(on, today)}${earliest === latest ? '' : ` (likely ${likely})`}`;
}

function likelyRange(likely: LikelyRange | undefined, byEnd: number, suffix: string): string {
  const range = likely && formatRange(likely.lower, likely.upper, '–');
  return range === undefined || range === formatCompact(byEnd) ? '' : ` (likely ${range}${suffix})`;
}

const LINE_OPTIONS = { maxAgeMs: 10 * 60_000 };

export interface OwnLineDeps extends Pick<Services, 'clock' | 'people'>, Pick<Knowledge, 'limits'> {
  readOwn: ReadOwn;
  /** The button of the form for personal warnings. */
  readWarnButton: (person: Pick<Person, 'slackId'>, isCounted: boolean) => Promise<Button>;
}

/** Adds the buttons that help if the limit is near, and names the admins if something is unknown. */
export async function ownLimitLine(
  deps: OwnLineDeps,
  { limit, used, period, today }: OwnMonth,
  { slackId }: Person,
  log: Logger,
): Promise<OwnLimitLine> {
  const course = decideLimitCourse(limit);
  const isCounted = course.kind === 'counted';
  const isUnknown = course.kind === 'no_limit' || course.kind === 'no_period';
  const [warnButton, admins] = await Promise.all([
    deps.readWarnButton({ slackId }, isCounted),
    isUnknown ? readContacts({ clock: deps.clock, log }, () => deps.people.admins()) : [],
  ]);
  const requestMore = deps.limits.requestMoreButtons(used.value, period);
  const line = limitLine(course, { slackId, admins, today });
  const explanation = explainLimit(limit, today);
  const actionButtons = [...requestMore, warnButton];
  return {
    line,
    buttons: explanation.length === 0 ? actionButtons : [...actionButtons, explainButton(EXPLAIN_ACTION, OWN_LIMIT)],
    actionButtons,
    state: stateOf(course),
    explanation,
  };
}

function stateOf(course: LimitCourse): OwnLimitLine['state'] {
  if (course.kind !== 'counted') return 'unknown';
  return course.outlook.kind === 'lasts' || course.outlook.kind === 'open' ? 'lasts' : 'short';
}

export async function readOwnLimitLine(
  deps: OwnLineDeps,
  person: Person,
  log: Logger,
): Promise<OwnLimitLine | undefined> {
  if (person.email === undefined) return undefined;
  const reading = await deps.readOwn(person.email, LINE_OPTIONS);
  if (reading.kind === 'read') return ownLimitLine(deps, reading.report, person, log);
  return reading.kind === 'begun' ? ownLimitLine(deps, reading.month, person, log) : undefined;
}

/** The button below each answer of `/usage`. */
export const EXPLAIN_ACTION = 'usage_explain';

/** The value of the button below the run-out line: no words of `/usage`. */
export const OWN_LIMIT = '#own-limit';

const FACTS = ['tokens'] as const;

const MAX_SUMS = 31;

/** Explains “Will I run out?”. Empty if the limit, its period or its use is unknown. */
export function explainLimit(facts: LimitFacts, today: Day): ExplainedPart[] {
  const course = decideLimitCourse(facts);
  const { use } = facts;
  if (course.kind !== 'counted' || !use) return [];
  const { limit, countsOver, used } = course;
  const days = explainedDays(use);
  const pace = paceOf(use.days);
  return [
    {
      label: 'Your limit',
      value: { kind: 'known', value: limit.value },
      formula: sourceOf(limit, countsOver, today),
      facts: FACTS,
      days,
    },
    {
      label: 'Used of your limit',
      value: { kind: 'known', value: used },
      formula: course.hasPublishedDay
        ? `The sum of your Standard Credits from ${firstDayWords(course, today)} through the last published day.`
        : `No day of ${thisPeriodWords(countsOver, course.period, today)} is published yet.`,
      facts: FACTS,
      days,
      terms: usedTerms(use),
    },
    ...(pace ? aheadParts(course, use, pace, today) : []),
  ];
}

const firstDayWords = ({ countsOver, period }: CountedCourse, today: Day): string =>
  startDayOf(countsOver) === 1 ? `the first day of the ${unitOf(countsOver)}` : formatDate(period.first, today);

/** The published days of the period or, before the first one, the days of the pace. */
function explainedDays({ period, through, days }: OwnUse): Period {
  if (through >= period.first) return { first: period.first, last: through };
  return { first: plusDays(through, 1 - Math.max(1, Math.min(days.length, LEAST_DAYS))), last: through };
}

function sourceOf(limit: ExistingLimit, countsOver: LimitPeriod, today: Day): string {
  const elsewhere = limit.kind === 'shown' ? '' : ' The platform doesn’t say whether it was changed elsewhere.';
  return `${sourceWords(limit, today)} It counts over each ${periodName(countsOver)}.${elsewhere}`;
}

function sourceWords(limit: ExistingLimit, today: Day): string {
  const date = formatDate(dayOf(limit.at), today);
  switch (limit.kind) {
    case 'declared':
      return `An admin declared it on ${date}; it wasn’t set here.`;
    case 'set':
      return `It was set here on ${date}.${raiseWords(limit, today)}`;
    case 'shown': {
      const who = limit.isForEverybody ? 'for everybody without a limit of their own' : 'for you';
      return `The platform ${limit.isCurrent ? 'shows' : 'showed'} it ${who} on ${date}.${raiseWords(limit, today)}`;
    }
    default:
      return limit satisfies never;
  }
}

const raiseWords = ({ until, permanent }: Pick<SetLimit, 'until' | 'permanent'>, today: Day): string =>
  until === undefined
    ? ''
    : ` It is a raise until ${formatDate(dayOf(until), today)}; the limit without it is ${formatNumber(permanent)}.`;

/** No terms if the known days do not reach back to the first day of the period. */
function usedTerms({ period, through, days }: OwnUse): Term[] {
  if (through < period.first) return [];
  const used = daysOf({ first: period.first, last: through });
  const amounts = days.slice(-used.length);
  if (amounts.length < used.length) return [];
  return termsByDay(
    used.map((day, index) => ({ day, state: 'fresh', row: { credits: amounts[index] ?? 0 } })),
    (row) => row.credits,
  );
}

function aheadParts(course: CountedCourse, use: OwnUse, pace: Pace, today: Day): ExplainedPart[] {
  const { outlook, limit } = course;
  if (pace.kind === 'stopped' || (outlook.kind !== 'reached' && outlook.kind !== 'lasts')) return [];
  const { through, period } = use;
  const days = { first: plusDays(through, 1 - use.days.length), last: through };
  const end = outlook.kind === 'reached' ? outlook.on : period.last;
  const sums = sumsAhead(use, pace).filter(({ day }) => day >= period.first && day <= end);
  const last = sums.at(-1);
  if (!last) return [];
  return [
    {
      label: 'A week at your pace',
      value: { kind: 'known', value: pace.weekdays.reduce((sum, one) => sum + one, 0) },
      formula: `For each weekday, the share of days with use in ${countOf(pace.countedDays, 'day')}, times what you use on such a day now. Days before your first use and weeks away don’t count.`,
      facts: FACTS,
      days,
      terms: weekdayTerms(pace, through),
    },
    {
      label: `Expected by ${formatDate(end)}`,
      value: { kind: 'known', value: last.middle },
      formula: `The credits used, plus those of the weekday for each later day, with your growth. ${resultWords(outlook, limit.value, periodEndWords(course.countsOver, period, today))}`,
      facts: FACTS,
      days,
      terms: sums.length > MAX_SUMS ? [] : sums.map(({ day, middle }) => ({ name: formatDay(day), value: middle })),
    },
  ];
}

function weekdayTerms({ weekdays }: Pace, through: Day): Term[] {
  return weekdays
    .map((value, index) => ({ day: plusDays(through, index + 1), value }))
    .toSorted((a, b) => weekdayOf(a.day) - weekdayOf(b.day))
    .map(({ day, value }) => ({ name: weekdayName(day), value }));
}

function resultWords(
  outlook: Extract<Outlook, { kind: 'reached' | 'lasts' }>,
  limit: number,
  periodEnd: string,
): string {
  const [result, hasRange] =
    outlook.kind === 'reached'
      ? [`This is the first day on which the sum reaches ${formatNumber(limit)}.`, outlook.earliest !== outlook.latest]
      : [`The sum stays below ${formatNumber(limit)} until ${periodEnd}.`, outlook.likely !== undefined];
  return hasRange ? `${result} The likely range depends on how much your whole weeks differ.` : result;
}
