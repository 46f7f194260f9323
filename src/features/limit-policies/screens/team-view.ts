import { formatShortAmount } from '../../../core/base/text/amounts.ts';
import { joinMarkup, markup, mention, readerTime, type Markup } from '../../../core/base/text/markup.ts';
import { countOf, formatCompact } from '../../../core/base/text/numbers.ts';
import { formatDay } from '../../../core/base/time/calendar.ts';
import type { KnownLimit } from '../../../core/figures/known-limit.ts';
import type { BlockMessage, Button } from '../../../core/slack/blocks/blocks.ts';
import { buttonRow, heading, messageOf, prose, type AnyParagraph } from '../../../core/slack/blocks/paragraphs.ts';
import { askButton, reviewButton } from '../../limits/core/limit-buttons.ts';
import type { LimitRequest } from '../../limits/core/limit-tables.ts';
import { shownWords } from '../../limits/core/person-text.ts';
import type { Pool } from '../rules/decide-team.ts';
import type { Team } from '../../../core/slack/people/directory.ts';
import { leadlessLines, stateWord } from '../store/policy-words.ts';
import { lowerButton, newTeamButton, openMenu } from './policy-buttons.ts';
import type { TeamState, TeamUse } from './read-teams.ts';

const mentions = (ids: readonly string[]): Markup =>
  joinMarkup(
    ids.map((id) => mention(id)),
    ', ',
  );

/** `/limits teams`. @param groups as they are now; undefined if Slack doesn’t say */
export function teamsMessage(
  states: readonly TeamState[],
  groups: readonly Team[] | undefined,
  now: Date,
  news?: Markup,
): BlockMessage {
  return messageOf(
    prose(news ? [news] : []),
    heading('Teams'),
    ...(states.length === 0
      ? [
          prose(
            markup`There are no teams yet. A team has a pool of credits for a period, and leads who decide about its requests within the pool.`,
          ),
        ]
      : states.map(({ team, pool, use, waiting }) =>
          prose([
            markup`*@${team.rules.subject.handle}*: ${stateWord(team, now).toLowerCase()}, order ${team.rules.order}`,
            poolLine(pool),
            ...useLines(use),
            markup`Leads: ${mentions(team.rules.leads)}, up to ${formatShortAmount(team.rules.cap)} a person`,
            ...leadlessLines(team.rules, groups),
            ...waitingLines(waiting),
          ]),
        )),
    buttonRow(
      ...(states.length === 0
        ? []
        : [
            openMenu(
              'Open a team',
              states.map(({ team }) => team),
            ),
          ]),
      newTeamButton(),
    ),
  );
}

/** @example 'Pool until Tue 31 Mar: *6M of 10M granted*, 4M left' */
export function poolLine(pool: Pool | undefined): Markup {
  if (!pool) return markup`⚠️ The period of limits is not known, so admins decide. Choose it in \`/quartermaster\`.`;
  const { period, credits, charged } = pool;
  if (credits === Infinity)
    return markup`No pool: *${formatShortAmount(charged)} granted* until ${formatDay(period.last)}`;
  const left = credits - charged;
  return left < 0
    ? markup`⚠️ Pool until ${formatDay(period.last)}: *${formatShortAmount(charged)} of ${formatShortAmount(credits)} granted*, nothing left`
    : markup`Pool until ${formatDay(period.last)}: *${formatShortAmount(charged)} of ${formatShortAmount(credits)} granted*, ${formatShortAmount(left)} left`;
}

function useLines(use: TeamUse): Markup[] {
  switch (use.kind) {
    case 'known':
      return [
        use.expected === undefined
          ? markup`Used by its members: ${formatCompact(use.spent)} as of ${formatDay(use.through)}`
          : markup`Used by its members: ${formatCompact(use.spent)} as of ${formatDay(use.through)}, ${formatCompact(use.expected)} expected at the end`,
      ];
    case 'open':
      return [markup`Used by its members: no day of this period is published yet.`];
    case 'hidden':
      return [];
    case 'private':
      return [markup`What its members used stays private: it could reveal the use of single people.`];
    case 'unknown':
      return [markup`What its members used can’t be read now.`];
    default:
      return use satisfies never;
  }
}

export interface TeamFacts {
  state: TeamState;
  /** Slack ids of those who lead it now. */
  leads: readonly string[];
  /** Whether the reader decides about its requests. */
  isLead: boolean;
  /** Of the reader; undefined without an e-mail. */
  limit: KnownLimit | undefined;
  /** Empty for a reader who is no lead, like the requests. */
  people: readonly { who: Markup; limit: KnownLimit }[];
  requests: readonly LimitRequest[];
}

/** `/limits team`: the teams that the reader leads, and the one in which they count. */
export function ownTeamsMessage(teams: readonly TeamFacts[]): BlockMessage {
  if (teams.length === 0)
    return messageOf(
      prose(markup`You are in no team with leads: admins decide about your limits.`),
      buttonRow(askButton()),
    );
  return messageOf(...teams.flatMap((team) => teamParagraphs(team)), buttonRow(askButton()));
}

function teamParagraphs({ state, leads, isLead, limit, people, requests }: TeamFacts): AnyParagraph[] {
  const { team, pool, use, waiting } = state;
  const { rules } = team;
  return [
    heading(`@${rules.subject.handle}`),
    prose([
      isLead
        ? markup`You lead this team: you decide its requests up to ${formatShortAmount(rules.cap)} a person${whilePool(rules)}. Raises end with the period.`
        : leads.length === 0
          ? markup`Nobody leads this team now: admins decide about your limit.`
          : markup`${mentions(leads)} ${leads.length === 1 ? 'decides' : 'decide'} about your limit up to ${formatShortAmount(rules.cap)}${whilePool(rules)}. Above it, admins do.`,
      poolLine(pool),
      ...(isLead ? [...useLines(use), ...(requests.length === 0 ? waitingLines(waiting) : [])] : []),
      ...(limit ? [markup`Your limit: ${limitWords(limit)}`] : []),
    ]),
    ...(isLead ? [buttonRow(lowerButton(team))] : []),
    ...requestParagraphs(requests),
    ...(people.length === 0 ? [] : [prose([markup`*Limits*`, ...limitLines(people)])]),
  ];
}

const waitingLines = (count: number): Markup[] =>
  count === 0 ? [] : [markup`⏳ ${countOf(count, 'request')} ${count === 1 ? 'waits' : 'wait'} for a decision`];

const whilePool = ({ pool }: Pick<TeamState['team']['rules'], 'pool'>): string =>
  pool === null ? '' : ', while the pool lasts';

const MAX_PEOPLE = 20;
const MAX_REQUESTS = 5;

function limitLines(people: TeamFacts['people']): Markup[] {
  const rest = people.length - MAX_PEOPLE;
  return [
    ...people.slice(0, MAX_PEOPLE).map(({ who, limit }) => markup`•  ${who}: ${limitWords(limit)}`),
    ...(rest > 0 ? [markup`•  and ${rest} more`] : []),
  ];
}

function limitWords(limit: KnownLimit): Markup {
  switch (limit.kind) {
    case 'none':
      return markup`not known`;
    case 'declared':
      return markup`${formatShortAmount(limit.value)}, as declared`;
    case 'unlimited':
    case 'unclear':
      return markup`${shownWords(limit)}`;
    case 'shown':
    case 'set':
      return limit.until
        ? markup`${formatShortAmount(limit.value)} until ${readerTime(limit.until)}, then ${formatShortAmount(limit.permanent)}`
        : markup`${formatShortAmount(limit.value)}`;
    default:
      return limit satisfies never;
  }
}

function requestParagraphs(requests: readonly LimitRequest[]): AnyParagraph[] {
  const shown = requests.slice(0, MAX_REQUESTS);
  const rest = requests.length - shown.length;
  return [
    ...shown.flatMap(({ id, requester, createdAt }) => [
      prose(markup`⏳ \`${id}\` by ${mention(requester)}, sent ${readerTime(new Date(createdAt))}`),
      buttonRow(...buttonsOf(id)),
    ]),
    ...(rest > 0 ? [prose(markup`and ${rest} more`)] : []),
  ];
}

const buttonsOf = (id: string): Button[] => [reviewButton(id)];
