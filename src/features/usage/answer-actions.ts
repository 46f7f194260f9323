import { button, MAX_OPTION_VALUE_LENGTH, menu, type Button, type Menu } from '../../core/slack/blocks/blocks.ts';
import { buttonRow, type Paragraph } from '../../core/slack/blocks/paragraphs.ts';
import { lengthOf, type Day, type Period } from '../../core/base/time/calendar.ts';
import { readPeriod, type RequestedPeriod } from '../../core/base/time/read-period.ts';
import { markup } from '../../core/base/text/markup.ts';
import { explainButton } from '../../core/figures/explanation/explanation-modal.ts';
import { commandText, plainWord, type CommandText } from '../../core/slack/commands/command-text.ts';
import { sendRegularlyButtons } from '../../core/slack/blocks/messages.ts';
import { CATALOGUE } from './catalogue.ts';
import { EXPLAIN_ACTION } from '../own/own-limit.ts';
import {
  decideAccess,
  decideFileAccess,
  isByPerson,
  subjectWord,
  VIEWS,
  wordsOf,
  type Asker,
  type UsageRequest,
} from './usage-command.ts';
import type { View } from './views/paragraphs.ts';

export const SHOW_VIEW_ACTION = 'usage_show_view';
export const SHOW_PERIOD_ACTION = 'usage_show_period';
export const SHOW_MORE_ACTION = 'usage_show_more';
export const SHOW_REST_ACTION = 'usage_show_rest';
export const SHARE_ACTION = 'usage_share';
export const SHARE_WITH_NAMES_ACTION = 'usage_share_with_names';
export const CSV_ACTION = 'usage_csv';
/** In the modal of `EXPLAIN_ACTION`. */
export const CHECK_ACTION = 'usage_check_now';

const PERIODS: readonly (readonly [text: string, words: string])[] = [
  ['Yesterday', 'yesterday'],
  ['Last 7 days', '7d'],
  ['Last 28 days', '28d'],
  ['This week', 'this week'],
  ['Last week', 'last week'],
  ['This month', 'this month'],
  ['Last month', 'last month'],
];

export interface ActionableAnswer {
  request: UsageRequest;
  period: Period;
  today: Day;
  view: Pick<View, 'hasNames' | 'next' | 'more'>;
  below: readonly Button[];
  reader: Asker;
}

/** Each menu and button carries the words that a user would type, and is checked like typed words. */
export function answerActions(answer: ActionableAnswer): Paragraph<never> {
  const { request, period, view } = answer;
  const show = (text: string, offset: number) =>
    button({ text, actionId: SHOW_MORE_ACTION, value: wordsOf({ ...request, offset }) });
  return buttonRow(
    ...menus(answer),
    ...(view.more ? [moreButton(wordsOf(request, period))] : []),
    ...(view.next === undefined ? [] : [show('More people', view.next)]),
    ...(request.offset > 0 ? [show('Back to the first', 0)] : []),
    ...answer.below,
    ...shareButtons(answer),
    ...sendRegularlyButtons(answer.reader, digestWords(answer)),
    ...(decideFileAccess(answer.reader, request).allowed ? [csvButton(wordsOf(request, period))] : []),
    explainButton(EXPLAIN_ACTION, wordsOf(request, period)),
  );
}

export const csvButton = (words: string): Button => button({ text: 'CSV', actionId: CSV_ACTION, value: words });

/** For people it shows more columns; another button shows more people. */
export const moreButton = (words: string): Button =>
  button({ text: 'Details', actionId: SHOW_REST_ACTION, value: words });

function menus({ request, reader, today }: ActionableAnswer): Menu[] {
  const first = { ...request, offset: 0, isCsv: false, isMore: false };
  const isOrganization = request.subject.kind === 'default';
  const views = VIEWS.filter((view) => decideAccess(reader, { ...first, view }).allowed).map((view) => ({
    text: CATALOGUE[view].title,
    value: wordsOf({ ...first, view }),
  }));
  const period = periodMenu(first.period, today, (words) => withPeriod(first, words));
  const fits = views.every(({ value }) => value.length <= MAX_OPTION_VALUE_LENGTH);
  // Only a very long e-mail does not fit; then the user can still type the command.
  if (!fits || !period) return [];
  if (!isOrganization) return [period];
  const chosen = wordsOf(first);
  return [menu({ placeholder: 'View', actionId: SHOW_VIEW_ACTION, options: views, chosen }), period];
}

/** The words after `/digest` for the view, whose figures, and how often; undefined if no digest can show this. */
function digestWords({ request: { view, subject }, period, reader }: ActionableAnswer): CommandText | undefined {
  const { section } = CATALOGUE[view];
  const days = lengthOf(period);
  const rhythm = plainWord(days === 1 ? 'weekdays' : days <= LONGEST_WEEKLY_DAYS ? 'weekly' : 'monthly');
  if (!section) return undefined;
  if (subject.kind === 'default') return commandText`new ${rhythm} ${plainWord(view)}`;
  if (!section.supportsGroups) return undefined;
  if (subject.kind === 'group') return commandText`new ${rhythm} ${subjectWord(subject)} ${plainWord(view)}`;
  if (subject.kind === 'email' || !reader.seesPeople) return undefined;
  const slackId = subject.kind === 'me' ? reader.slackId : subject.slackId;
  return commandText`new ${rhythm} me ${`<@${slackId}>`} ${plainWord(view)}`;
}

const LONGEST_WEEKLY_DAYS = 14;

/** @returns undefined if the words are too long for a menu */
export function periodMenu(
  shown: RequestedPeriod,
  today: Day,
  wordsWith: (periodWords: string) => string,
): Menu | undefined {
  const options = PERIODS.map(([text, words]) => ({ text, value: wordsWith(words) }));
  if (options.some(({ value }) => value.length > MAX_OPTION_VALUE_LENGTH)) return undefined;
  const chosen = chosenPeriod(shown, today);
  return menu({
    placeholder: 'Period',
    actionId: SHOW_PERIOD_ACTION,
    options,
    chosen: chosen === undefined ? undefined : wordsWith(chosen),
  });
}

function chosenPeriod(shown: RequestedPeriod, today: Day): string | undefined {
  const option = PERIODS.find(([, words]) => {
    const offered = readPeriod(words.split(' '), today)?.requested;
    return (
      offered?.first === shown.first && offered.last === shown.last && (offered.lastDays ?? 0) === (shown.lastDays ?? 0)
    );
  });
  return option?.[1];
}

function withPeriod(request: UsageRequest, words: string): string {
  const { unit: _, ...period } = request.period;
  const [view, , ...rest] = wordsOf({ ...request, period }).split(' ');
  return [view, words, ...rest].join(' ');
}

/** Names are shared only by a button that asks for confirmation. */
function shareButtons({ request, period, view, reader }: ActionableAnswer): Button[] {
  if (request.view === 'teams' && !reader.seesPeople) return [];
  const value = wordsOf(request, period);
  const isAboutPeople = request.subject.kind !== 'default' || isByPerson(request.view);
  const isTeam = request.subject.kind === 'group';
  const canLeaveOut = !isAboutPeople || isTeam;
  const withoutNames = shareButton(value);
  const withNames = shareNamesButton(canLeaveOut ? 'Share with names' : 'Share', value);
  return [...(canLeaveOut ? [withoutNames] : []), ...(view.hasNames || !canLeaveOut ? [withNames] : [])];
}

/** Shares without names. Its label is short, so that the buttons need fewer rows on a phone. */
export const shareButton = (words: string): Button => button({ text: 'Share', actionId: SHARE_ACTION, value: words });

export const shareNamesButton = (text: string, words: string): Button =>
  button({
    text,
    actionId: SHARE_WITH_NAMES_ACTION,
    value: words,
    confirm: {
      title: 'Share people’s figures?',
      text: markup`Everybody in this channel will see who used how many credits.`,
      confirm: 'Share with names',
      deny: 'Cancel',
    },
  });
