import { type AddressedView, moreMessage } from './views/paragraphs.ts';
import {
  type AnyParagraph,
  buttonRow,
  messageOf,
  paragraphMessage,
  prose,
} from '../../core/slack/blocks/paragraphs.ts';
import { inOwnTurn } from '../../core/base/time/turns.ts';
import type { DaysOptions } from '../../core/analytics/day-facts.ts';
import type { UsageDeps } from './usage-deps.ts';
import { allowGroupDetail } from '../../core/figures/groups/group.ts';
import { shownToReaders } from '../../core/figures/groups/gate.ts';
import type { Names } from '../../core/base/privacy/disclosure.ts';
import { markup } from '../../core/base/text/markup.ts';
import {
  type Beginning,
  PLATFORM_BEGINNING,
  choosePeriod,
  daysToReadOf,
  historyOf,
  settlePeriod,
  spanOf,
  todayOf,
  withRoom,
} from '../../core/analytics/period.ts';
import type { OwnLimitLine } from '../../core/feature.ts';
import { type Day, type Period, lengthOf } from '../../core/base/time/calendar.ts';
import { countOf } from '../../core/base/text/numbers.ts';
import { hasRole } from '../../core/base/roles.ts';
import type { BlockMessage, Button } from '../../core/slack/blocks/blocks.ts';
import { type Refusal, plainMessage } from '../../core/slack/blocks/messages.ts';
import type { Reply } from '../../core/slack/outbound/reply.ts';
import type { Interaction } from '../../core/slack/interactions/interactions.ts';
import { type Person } from '../../core/slack/people/people.ts';
import { type Audience, audienceOf } from '../../core/slack/people/audience.ts';
import { CATALOGUE, type ExplainedView, answerGroup, readAheadOfGroup } from './catalogue.ts';
import {
  type RequestFor,
  type Subject,
  type UsageRequest,
  type UsageViewName,
  decideAccess,
  decideAvailability,
  isAboutPeople,
  leftOutNotes,
  resolveSubject,
} from './usage-command.ts';
import { NO_BREAKDOWN } from './views/group-view.ts';
import { answerActions } from './answer-actions.ts';
import type { OwnReading } from '../own/own-report.ts';
import { ownLimitLine, readOwnLimitLine } from '../own/own-limit.ts';
import { ownParagraph } from '../own/own-view.ts';
import { askForTeamsButton } from '../teams/ask-for-teams.ts';
import { chosenGroups } from '../../core/figures/groups/chosen-teams.ts';
import { chooseTeamsButton } from '../teams/team-form.ts';

/** A request for a channel without names must not be about a single person. */
export interface AnswerQuery<Readers extends Audience> {
  request: RequestFor<Readers>;
  readers: Readers;
  /** Facts that may still change are read again if they are older; by default always. */
  maxAgeMs?: number;
}

interface AroundView {
  /** Only for the person who asked, so it is neither shared nor part of the view. */
  above: readonly AnyParagraph[];
  below: readonly Button[];
}

type UsageAnswer<Readers extends Audience> =
  | ({ kind: 'answer'; view: AddressedView<Readers> & ExplainedView; period: Period; names: Names } & AroundView)
  | { kind: 'refusal'; message: BlockMessage };

/** Answers `/usage`: checks the rights first, then the period, then whose figures are requested. */
export async function answerUsage<Readers extends Audience>(
  deps: UsageDeps,
  { request, readers, maxAgeMs }: AnswerQuery<Readers>,
  interaction: Interaction,
): Promise<UsageAnswer<Readers>> {
  const { person, log } = interaction;
  const decision = await decideQuestion(deps, request, person);
  if (decision.kind === 'refused') {
    const { why, ahead } = decision;
    const isOwn = request.subject.kind === 'me' && readers.kind !== 'channel';
    const ownLimit = ahead !== undefined && isOwn ? await readOwnLimitLine(deps, person, log) : undefined;
    const isAnswered = ahead !== undefined && ownLimit !== undefined;
    return { kind: 'refusal', message: isAnswered ? withLimit(ownLimit, ahead) : await interaction.refusal(why) };
  }
  const { period, today, subject, beginning } = decision;
  const usageView = CATALOGUE[request.view];
  const isOrganization = subject.kind === 'organization';
  const age = maxAgeMs === undefined ? { acceptsOlder: true } : { maxAgeMs };
  const progress = reportProgress(interaction.reply, period);
  const hasHistory = isOrganization && usageView.hasHistory;
  const range = daysToReadOf(request.period, period, today, hasHistory);
  const widest = { period: withRoom(request.period, period), comparedWith: undefined, today };
  const history = historyOf(widest);
  const ahead = { range, history, readers, options: { ...progress, ...age } };
  const readSince = deps.clock.now();
  // The activity shows which days are published, and thus which days the figures are of.
  const [activity] = await Promise.all([
    deps.days.activity(spanOf(range, hasHistory ? history : undefined), age),
    isOrganization ? usageView.readAhead(deps, ahead) : readAheadOfGroup(deps, ahead),
  ]);
  const options = { ...progress, ...age, readSince };
  const scope = settlePeriod(request.period, period, activity, today, beginning);
  const isExplained = hasRole(person.role, 'manager');
  const query = { scope, range, readers, isExplained, options, activity, offset: request.offset };
  const notes = [...decision.notes, ...scope.notes];
  if (isOrganization) {
    const isForOneReader = request.view === 'summary' && readers.kind !== 'channel' && !request.isMore;
    const [view, ownLimit] = await Promise.all([
      usageView.answer(deps, query, notes, log),
      isForOneReader ? readOwnLimitLine(deps, person, log) : undefined,
    ]);
    const what = request.view === 'people' ? 'list' : 'overview';
    const isNaming = readers.naming !== undefined && view.hasNames && request.view !== 'teams';
    const names: Names = isNaming ? { what, of: 'everybody' } : 'nobody';
    const below = await teamButtons(deps, request, person);
    const above = ownLimit && ownLimit.state !== 'unknown' ? [ownLimit.line] : [];
    const limitButtons = ownLimit?.state === 'short' ? ownLimit.actionButtons : [];
    const all = [...limitButtons, ...below];
    return { kind: 'answer', view: { ...view, readers }, period: scope.period, above, below: all, names };
  }
  const isOwn = request.subject.kind === 'me' && readers.kind !== 'channel';
  const own = isOwn ? await readOwnMonth(deps, interaction, { readSince }) : undefined;
  const month = own?.kind === 'begun' ? own.month : own?.report;
  const ownLimit = month && (await ownLimitLine(deps, month, person, log));
  const extraParagraphs = own?.kind === 'read' ? [ownParagraph(own.report, scope.period)] : [];
  const seesEach = readers.naming !== undefined && person.seesPeople;
  const verdict =
    subject.kind === 'team' && !seesEach
      ? await allowGroupDetail(deps, subject, scope, { shownTo: shownToReaders(readers) })
      : undefined;
  if (verdict?.kind === 'refused') return { kind: 'refusal', message: plainMessage(verdict.sentence) };
  if (verdict?.kind === 'unreadable') throw verdict.fault;
  const detail = verdict?.kind === 'shown' ? verdict.detail : undefined;
  const groupQuery = { ...query, extraParagraphs, detail };
  const allNotes = [...notes, ...groupNotes(request.view, subject, readers), ...(detail ? [CREDITS_ALONE] : [])];
  const view = await answerGroup(deps, groupQuery, subject, allNotes, log);
  const isNaming = subject.kind === 'person' || readers.naming !== undefined;
  return {
    kind: 'answer',
    view: { ...view, readers },
    period: scope.period,
    names: isNaming ? { what: 'usage', of: subject.emails } : 'nobody',
    above: ownLimit ? [ownLimit.line] : [],
    below: ownLimit?.actionButtons ?? [],
  };
}

/** Whether one runs out can be asked before the first day of the month has figures. */
const withLimit = ({ line, buttons }: OwnLimitLine, sentence: string): BlockMessage =>
  messageOf(line, prose(markup`${sentence}`), buttonRow(...buttons));

async function teamButtons({ db }: UsageDeps, { view }: UsageRequest, { role }: Person): Promise<Button[]> {
  if (view !== 'teams') return [];
  if (hasRole(role, 'admin')) return [chooseTeamsButton()];
  return (await chosenGroups(db)).length === 0 ? [askForTeamsButton()] : [];
}

/** Returns undefined if the person’s own month cannot be read: the requested figures still explain what failed. */
async function readOwnMonth(
  deps: UsageDeps,
  { person, log }: Interaction,
  options: DaysOptions,
): Promise<Extract<OwnReading, { kind: 'read' | 'begun' }> | undefined> {
  const { email } = person;
  const reading = email === undefined ? undefined : await deps.readOwn(email, options);
  if (reading?.kind === 'unreadable') log.warn({ err: reading.fault }, 'Reading this month failed');
  return reading?.kind === 'read' || reading?.kind === 'begun' ? reading : undefined;
}

export type QuestionDecision =
  /** `ahead`: the sentence about days that have not ended yet. */
  | { kind: 'refused'; why: Refusal; ahead?: string }
  | {
      kind: 'allowed';
      period: Period;
      today: Day;
      notes: string[];
      subject: Exclude<Subject, { kind: 'unknown' }>;
      beginning: Beginning;
    };

export async function decideQuestion(
  deps: UsageDeps,
  request: UsageRequest,
  person: Person,
): Promise<QuestionDecision> {
  const access = decideAccess(person, request);
  if (!access.allowed) return { kind: 'refused', why: access.why };
  const availability = decideAvailability(request);
  if (!availability.allowed) return { kind: 'refused', why: availability.why };
  const today = todayOf(deps);
  const beginning = isAboutPeople(request) ? deps.days.beginningOfPeople() : PLATFORM_BEGINNING;
  const choice = choosePeriod(request.period, today, beginning);
  if (choice.kind === 'none')
    return { kind: 'refused', why: choice.sentence, ...(choice.isAhead ? { ahead: choice.sentence } : {}) };
  const subject = await resolveSubject(deps.people, person, request.subject);
  if (subject.kind === 'unknown') return { kind: 'refused', why: subject.sentence };
  return { kind: 'allowed', period: choice.period, today, notes: choice.notes, subject, beginning };
}

export function reportProgress(reply: Pick<Reply, 'progress'>, period: Period): DaysOptions {
  reply.progress(`Reading ${countOf(lengthOf(period), 'day')} …`);
  return { onProgress: (done, days) => reply.progress(`Reading: ${done} of ${countOf(days, 'day')} …`) };
}

function groupNotes(view: UsageViewName, subject: Subject, readers: Audience): string[] {
  return [
    ...(subject.kind === 'team' ? leftOutNotes(subject.withoutEmail, readers) : []),
    ...(view === 'credits' ? [NO_BREAKDOWN] : []),
  ];
}

/** Shown below figures of a group to readers who may not see single people. */
const CREDITS_ALONE = 'For a team, only credits are shown.';

const queryOf = (request: UsageRequest, person: Person) => ({
  request,
  readers: audienceOf(person),
});

export async function showUsage(deps: UsageDeps, request: UsageRequest, interaction: Interaction): Promise<void> {
  const answer = await answerUsage(deps, queryOf(request, interaction.person), interaction);
  if (answer.kind === 'refusal') return interaction.reply.show(answer.message);
  const message = await inOwnTurn(() => {
    const { names, view } = answer;
    if (request.isMore) return { ...moreMessage(view), names };
    const actionRow = answerActions({ ...answer, request, today: todayOf(deps), reader: interaction.person });
    return { ...paragraphMessage(view.title, [...answer.above, view.short], actionRow), names };
  });
  await interaction.reply.show(message);
}

/** Turns off progress for a click whose answer appears below: progress would replace the clicked message for good. */
export function withoutProgress<Clicked extends Interaction>(click: Clicked): Clicked {
  return { ...click, reply: { ...click.reply, progress: () => {} } };
}

export async function showRest(deps: UsageDeps, request: UsageRequest, click: Interaction): Promise<void> {
  const answer = await answerUsage(deps, queryOf(request, click.person), withoutProgress(click));
  await click.reply.add(
    answer.kind === 'refusal' ? answer.message : { ...moreMessage(answer.view), names: answer.names },
  );
}
