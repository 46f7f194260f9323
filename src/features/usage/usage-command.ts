import type { Refusal, RoleDenial } from '../../core/slack/blocks/messages.ts';
import {
  type CommandHelp,
  type ParsedCommand,
  didYouMean,
  joinWords,
  readReference,
} from '../../core/slack/commands/command-text.ts';
import type { People, Person } from '../../core/slack/people/people.ts';
import { UNNAMED_GROUP } from '../../core/slack/people/directory.ts';
import type { Audience, ForChannel } from '../../core/slack/people/audience.ts';
import { hasRole } from '../../core/base/roles.ts';
import { type CalendarUnit, type Period, dayOf } from '../../core/base/time/calendar.ts';
import { ambiguityOfPeriod, PERIOD_WORDS, type RequestedPeriod, readPeriod } from '../../core/base/time/read-period.ts';
import { countOf } from '../../core/base/text/numbers.ts';

/** The views of `/usage`. `moved` shows changes against the period before. */
export const VIEWS = [
  'summary',
  'credits',
  'models',
  'tools',
  'activity',
  'productivity',
  'people',
  'teams',
  'moved',
] as const;

export type UsageViewName = (typeof VIEWS)[number];

/** Views by person, or by team, which may have one member: for managers, and shared only after a confirmation. */
const VIEWS_BY_PERSON = ['people', 'teams'] as const satisfies readonly UsageViewName[];

type ViewByPerson = (typeof VIEWS_BY_PERSON)[number];

export function isByPerson(view: UsageViewName): view is ViewByPerson {
  return VIEWS_BY_PERSON.some((one) => one === view);
}

/** Whose figures are shown. `default`: the organization’s, with a member’s own beside them. */
export type RequestedSubject =
  | { kind: 'default' }
  | { kind: 'me' }
  | { kind: 'person'; slackId: string }
  | { kind: 'group'; slackId: string }
  | { kind: 'email'; email: string };

export interface UsageRequest {
  view: UsageViewName;
  period: RequestedPeriod;
  subject: RequestedSubject;
  isCsv: boolean;
  /** The number of people before the first row of the table. */
  offset: number;
  /** Whether to show the details that the short answer leaves out. */
  isMore: boolean;
}

type Question = Pick<UsageRequest, 'subject' | 'view'>;

export type Asker = Pick<Person, 'role' | 'slackId' | 'email' | 'seesPeople'>;

/** A request that names no person: figures of the organization or of a team. */
export interface AnonymousRequest extends UsageRequest {
  view: Exclude<UsageViewName, ViewByPerson>;
  subject: Extract<RequestedSubject, { kind: 'default' | 'group' }>;
}

export type RequestFor<Readers extends Audience> = Readers extends ForChannel ? AnonymousRequest : UsageRequest;

export function anonymousRequest(request: UsageRequest): AnonymousRequest | undefined {
  const { view, subject } = request;
  if (isByPerson(view) || (subject.kind !== 'default' && subject.kind !== 'group')) return undefined;
  return { ...request, view, subject };
}

const OTHER_VIEWS = VIEWS.filter((view) => !isByPerson(view) && view !== 'summary' && view !== 'credits');

export const USAGE_HELP: CommandHelp = {
  command: '/usage',
  takesTeams: true,
  purpose: 'what the organization, a team or a person used. Days are UTC.',
  examples: [
    { text: '', meaning: 'the last 7 published days' },
    {
      text: 'credits',
      meaning: `a view: also ${OTHER_VIEWS.join(', ')}, and for managers ${VIEWS_BY_PERSON.join(' and ')}`,
    },
    {
      text: '28d',
      meaning: 'a period: also yesterday, 2w, last week, this month, october, q3, since oct 1, oct 1 to oct 7',
    },
    { text: 'october vs november', meaning: 'two periods, @teams, people or models side by side' },
    { text: 'last month me', meaning: 'your own figures' },
    { text: '7d @person', meaning: 'a person, a @team or an e-mail; for managers' },
    { text: 'more', meaning: 'what the short answer leaves out: tables, unusual days, the basis of the forecast' },
    { text: 'notify', meaning: 'a direct message before your credits run out' },
    { text: 'watch #channel', meaning: 'a message when a day is unusual; also for a @team, or to me; for managers' },
    { text: 'unwatch #channel', meaning: 'turns these alerts off; for managers' },
    { text: 'retire', meaning: 'models that retire, and their successors; admins set them' },
    { text: 'people 28d csv', meaning: 'as a file, by direct message' },
  ],
};

/** Words on buttons only: the days are a part of the calendar, and are compared as such. */
const UNITS = ['month', 'quarter', 'year'] as const satisfies readonly CalendarUnit[];

const isView = (word: string): word is UsageViewName => VIEWS.some((view) => view === word);

interface ParsedWords {
  view?: UsageViewName;
  period?: RequestedPeriod;
  subject?: RequestedSubject;
  isCsv?: boolean;
  offset?: number;
  isMore?: boolean;
  unit?: CalendarUnit;
}

/** Reads the words after `/usage`, in any order. */
export function parseUsage(words: readonly string[], now: Date): ParsedCommand<UsageRequest> {
  const today = dayOf(now);
  const lower = words.map((word) => word.toLowerCase());
  if (lower[0] === 'help') return { kind: 'help' };
  const parsed: ParsedWords = {};
  for (let index = 0; index < words.length;) {
    const period = readPeriod(lower.slice(index), today);
    const named = period ? { period: period.requested } : readWord(words[index] ?? '');
    const ambiguity = named ? undefined : ambiguityOfPeriod(lower.slice(index), today);
    if (ambiguity !== undefined) return { kind: 'misunderstood', sentence: ambiguity };
    if (!named) return misunderstood(words, index);
    const twice = Object.keys(named).find((key) => key in parsed);
    if (twice !== undefined) return { kind: 'misunderstood', sentence: ONLY_ONE[twice] ?? 'That was said twice.' };
    Object.assign(parsed, named);
    index += period?.wordCount ?? 1;
  }
  return { kind: 'run', request: requestOf(parsed, today) };
}

const ONLY_ONE: Readonly<Record<string, string>> = {
  view: 'Only one view can be shown at a time.',
  period: 'Only one period can be shown at a time.',
  subject: 'Only one person or team can be shown at a time.',
};

function requestOf(parsed: ParsedWords, today: string): UsageRequest {
  return {
    view: parsed.view ?? 'summary',
    period: { ...(parsed.period ?? defaultPeriod(today)), ...(parsed.unit ? { unit: parsed.unit } : {}) },
    subject: parsed.subject ?? { kind: 'default' },
    isCsv: parsed.isCsv ?? false,
    offset: parsed.offset ?? 0,
    isMore: parsed.isMore ?? false,
  };
}

export function defaultPeriod(today: string): RequestedPeriod {
  const parsed = readPeriod(['7d'], today);
  if (!parsed) throw new Error('7d is a period');
  return parsed.requested;
}

export function readWord(word: string): ParsedWords | undefined {
  const lower = word.toLowerCase();
  if (isView(lower)) return { view: lower };
  if (lower === 'csv') return { isCsv: true };
  if (lower === 'more') return { isMore: true };
  const offset = /^from:(\d{1,6})$/.exec(lower)?.[1];
  if (offset !== undefined) return { offset: Number(offset) };
  const unit = UNITS.find((one) => lower === `by:${one}`);
  if (unit) return { unit };
  if (['me', 'my', 'mine'].includes(lower)) return { subject: { kind: 'me' } };
  const reference = readReference(word);
  return reference && reference.kind !== 'channel' ? { subject: reference } : undefined;
}

function misunderstood(words: readonly string[], index: number): ParsedCommand<UsageRequest> {
  const word = words[index] ?? '';
  if (/^[@#]/.test(word)) {
    return {
      kind: 'misunderstood',
      sentence: `No one in this workspace is called ${word}. Pick the name from the list that opens while you type.`,
    };
  }
  const rest = words.slice(index + 1);
  const suggestion =
    didYouMean(word, [
      ...VIEWS,
      ...PERIOD_WORDS,
      'me',
      'more',
      'csv',
      'notify',
      'watch',
      'unwatch',
      'retire',
      'help',
    ]) ?? didYouMean(`${word} ${rest[0] ?? ''}`.trim(), PERIOD_WORDS);
  const sentence = `Unknown word “${word}”.`;
  if (suggestion === undefined) return { kind: 'misunderstood', sentence };
  const isTwoWords = suggestion.includes(' ') && didYouMean(word, [suggestion]) === undefined;
  const meant = [...words.slice(0, index), ...suggestion.split(' '), ...(isTwoWords ? rest.slice(1) : rest)];
  const corrected = joinWords(meant);
  return { kind: 'misunderstood', sentence, corrected };
}

/**
 * Buttons carry these words, so that a click is parsed and checked like typed words.
 * @param exactly the days that were shown, for buttons that must show the same days tomorrow
 * @example wordsOf(request) // 'people 7d <@U123>'
 */
export function wordsOf(request: UsageRequest, exactly?: Period): string {
  const { first, last } = exactly ?? request.period;
  const days = first === last ? first : `${first}..${last}`;
  const period = exactly || request.period.lastDays === undefined ? days : `${request.period.lastDays}d`;
  const offset = request.offset > 0 ? `from:${request.offset}` : '';
  const more = request.isMore ? 'more' : '';
  const unit = request.period.unit === undefined ? '' : `by:${request.period.unit}`;
  return [request.view, period, unit, subjectWord(request.subject), offset, more]
    .filter((word) => word !== '')
    .join(' ');
}

export function subjectWord(subject: RequestedSubject): string {
  switch (subject.kind) {
    case 'default':
      return '';
    case 'me':
      return 'me';
    case 'person':
      return `<@${subject.slackId}>`;
    case 'group':
      return `<!subteam^${subject.slackId}>`;
    case 'email':
      return subject.email;
    default:
      return subject satisfies never;
  }
}

export type AccessDecision = { allowed: true } | { allowed: false; why: Refusal };

/** The views for single people and groups; the platform reports all others by day for the whole organization only. */
const VIEWS_OF_GROUPS: ReadonlySet<UsageViewName> = new Set(['summary', 'credits', 'people']);

const SUBJECT_WORDS = { me: 'one person', person: 'one person', email: 'one person', group: 'a team' } as const;

export function decideAvailability({ subject, view }: Question): AccessDecision {
  if (subject.kind === 'default' || VIEWS_OF_GROUPS.has(view)) return { allowed: true };
  return {
    allowed: false,
    why: `The ${view} view isn’t available for ${SUBJECT_WORDS[subject.kind]}, only for the whole organization. Try summary, credits or people.`,
  };
}

export const isAboutPeople = ({ subject, view }: Question): boolean => subject.kind !== 'default' || isByPerson(view);

/** The refusal for managers if `PEOPLE_ROLE` is `admin`. */
const FILE_ONLY_ADMINS: RoleDenial = { what: 'This file has a row for each person, so it', role: 'admin' };

const PEOPLE_ONLY_ADMINS: RoleDenial = {
  what: 'Figures of single people',
  role: 'admin',
  verb: 'are',
  or: 'type /usage with a @team, or without a name',
};

/** Decides who gets a file: the files of a person, a group and all people have a row for each day and person. Pure. */
export function decideFileAccess(person: Asker, { subject, view }: Question): AccessDecision {
  const isByPersonAndDay = isByPerson(view) || subject.kind === 'group';
  if (!person.seesPeople && hasRole(person.role, 'manager') && isByPersonAndDay)
    return { allowed: false, why: FILE_ONLY_ADMINS };
  return { allowed: true };
}

export function decideAccess(person: Asker, { subject, view }: Question): AccessDecision {
  if (person.seesPeople) return { allowed: true };
  const isOwn =
    subject.kind === 'me' ||
    (subject.kind === 'person' && subject.slackId === person.slackId) ||
    (subject.kind === 'email' && subject.email === person.email);
  if (isOwn || (subject.kind === 'default' && !isByPerson(view))) return { allowed: true };
  if (hasRole(person.role, 'manager')) {
    const isOfSome = subject.kind === 'group' || (subject.kind === 'default' && view === 'teams');
    return isOfSome && view !== 'people' ? { allowed: true } : { allowed: false, why: PEOPLE_ONLY_ADMINS };
  }
  const what =
    subject.kind !== 'default' ? 'Other people’s figures' : `Figures by ${view === 'teams' ? 'team' : 'person'}`;
  return {
    allowed: false,
    why: { what, role: 'manager', verb: 'are', or: 'type /usage me for your own' },
  };
}

/** The people whose figures are shown, by the e-mails that the platform knows. */
export type Subject =
  | { kind: 'organization' }
  /** `isInSlack`: the address belongs to a Slack account, so it is not a typing mistake. */
  | { kind: 'person'; label: string; emails: string[]; isInSlack: boolean }
  /** `withoutEmail`: the names of members whose figures cannot be found. */
  | { kind: 'team'; label: string; emails: string[]; withoutEmail: string[] }
  | { kind: 'unknown'; sentence: string };

export async function resolveSubject(people: People, asker: Person, requested: RequestedSubject): Promise<Subject> {
  switch (requested.kind) {
    case 'default':
      return { kind: 'organization' };
    case 'me':
      return single(asker.name, asker.email);
    case 'person': {
      const person = await people.describe(requested.slackId);
      return person
        ? single(person.name, person.email)
        : { kind: 'unknown', sentence: 'Slack doesn’t know this person.' };
    }
    case 'email':
      if (people.erasedAmong([requested.email]).length > 0)
        return { kind: 'unknown', sentence: 'This person’s data was erased here.' };
      return typed(people, asker, requested.email);
    case 'group':
      return team(people, requested.slackId);
    default:
      return requested satisfies never;
  }
}

function single(name: string, email: string | undefined): Subject {
  if (email === undefined) {
    return {
      kind: 'unknown',
      sentence: `Slack shows no e-mail for ${name}, and the platform knows people by e-mail. Ask a workspace admin to add it.`,
    };
  }
  return { kind: 'person', label: name, emails: [email], isInSlack: true };
}

async function typed(people: People, asker: Person, email: string): Promise<Subject> {
  const isInSlack = email === asker.email || (await people.findByEmails([email]))?.has(email) === true;
  return { kind: 'person', label: email, emails: [email], isInSlack };
}

async function team(people: People, groupId: string): Promise<Subject> {
  const [memberIds, handle] = await Promise.all([people.groupMembers(groupId), people.groupHandle(groupId)]);
  if (memberIds.length === 0) return { kind: 'unknown', sentence: 'This team has no members.' };
  const members = await Promise.all(memberIds.map((id) => people.describe(id)));
  const describedMembers = members.filter((member) => member !== undefined);
  const emails = [...new Set(describedMembers.flatMap((member) => member.email ?? []))];
  const withoutEmail = describedMembers.filter((member) => member.email === undefined).map((member) => member.name);
  if (emails.length === 0) return { kind: 'unknown', sentence: 'Slack shows no e-mail for anyone in this team.' };
  return { kind: 'team', label: handle === undefined ? UNNAMED_GROUP : `@${handle}`, emails, withoutEmail };
}

export function leftOutNotes(names: readonly string[], { naming }: Pick<Audience, 'naming'>): string[] {
  if (names.length === 0) return [];
  const who = naming ? names.join(', ') : countOf(names.length, 'person', 'people');
  return [`Not included, since Slack shows no e-mail for them: ${who}.`];
}

export const SEPARATORS = new Set(['vs', 'vs.', 'versus']);

export const isComparison = (words: readonly string[]): boolean =>
  words.some((word) => SEPARATORS.has(word.toLowerCase()));
