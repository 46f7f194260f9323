import { teamOptions, type OfferedTeam } from '../../../core/figures/groups/chosen-teams.ts';
import type { DigestSection } from '../../../core/feature.ts';
import { context, section, type Block } from '../../../core/slack/blocks/blocks.ts';
import type { Option } from '../../../core/slack/blocks/inputs.ts';
import { markup, type Markup } from '../../../core/base/text/markup.ts';
import { modal, type FormState, type ModalView } from '../../../core/slack/blocks/views.ts';
import { errorsOf, type FormErrors, type FormRule } from '../../../core/slack/interactions/forms.ts';
import {
  asksForWhere,
  destinationFields,
  destinationOf,
  destinationRule,
  isForChannel,
} from '../../../core/slack/interactions/destination-form.ts';
import {
  defineForm,
  moreOptions,
  multiSelectField,
  selectField,
  timeField,
  usersField,
  type FormValues,
} from '../../../core/slack/interactions/form-fields.ts';
import { coveredWords, utcDayEnd } from '../core/covered-words.ts';
import { ordinal } from '../../../core/base/text/numbers.ts';
import { scheduleOf, WEEKDAY_NAMES, type DigestSettings, type Rhythm } from '../core/settings.ts';
import type { Schedule } from '../../../core/schedule/occurrences.ts';
import { isTimeZone } from '../../../core/base/time/calendar.ts';
import { wordsIn } from '../../../core/base/text/word-list.ts';

/** Zones in which people work; others come from the person’s Slack. A menu holds at most 100. */
const COMMON_ZONES = wordsIn(
  'UTC Pacific/Honolulu America/Anchorage America/Los_Angeles America/Vancouver America/Denver America/Phoenix',
  'America/Chicago America/Mexico_City America/New_York America/Toronto America/Bogota America/Lima America/Halifax',
  'America/Santiago America/Sao_Paulo America/Argentina/Buenos_Aires America/St_Johns Atlantic/Reykjavik',
  'Europe/London Europe/Dublin Europe/Lisbon Africa/Lagos Europe/Amsterdam Europe/Berlin Europe/Brussels',
  'Europe/Copenhagen Europe/Madrid Europe/Oslo Europe/Paris Europe/Prague Europe/Rome Europe/Stockholm',
  'Europe/Vienna Europe/Warsaw Europe/Zurich Africa/Cairo Africa/Johannesburg Europe/Athens Europe/Bucharest',
  'Europe/Helsinki Europe/Kyiv Europe/Istanbul Africa/Nairobi Asia/Jerusalem Asia/Riyadh Asia/Tehran Asia/Dubai',
  'Asia/Tbilisi Asia/Karachi Asia/Kolkata Asia/Kathmandu Asia/Dhaka Asia/Bangkok Asia/Ho_Chi_Minh Asia/Jakarta',
  'Asia/Hong_Kong Asia/Kuala_Lumpur Asia/Manila Asia/Shanghai Asia/Singapore Asia/Taipei Australia/Perth Asia/Seoul',
  'Asia/Tokyo Australia/Adelaide Australia/Brisbane Australia/Melbourne Australia/Sydney Australia/Lord_Howe',
  'Pacific/Auckland',
);

export function zoneOptions(own: string, chosen = 'UTC'): Option[] {
  const zones = [...new Set([...[own, chosen].filter((zone) => isTimeZone(zone)), ...COMMON_ZONES])];
  return zones.map((zone) => ({ value: zone, text: zone.replaceAll('_', ' ') }));
}

export const NEW_FORM = 'digest_new_form';
export const NEW_TITLE = 'New digest';
/** The choices that show other fields, and *More options*. */
export const SHOW_FIELDS_ACTION = 'digest_audience';
export const EDIT_FORM = 'digest_edit_form';
export const EDIT_TITLE = 'Edit digest';

const MAX_TEAMS = 98;
const MAX_PEOPLE = 100;
const LAST_MONTH_DAY = 28;

export interface FormFacts {
  sections: readonly DigestSection[];
  canShowPeople: boolean;
  teams: readonly OfferedTeam[];
  /** The zone of the user, which is offered first. */
  ownZone: string;
  now: Date;
  /** A warning about the chosen user group, before the form is submitted. */
  aboutTeam?: string | undefined;
  /** Whether the less common fields are shown. */
  showsAllFields?: boolean;
}

interface FieldFacts extends FormFacts {
  daysHint: string;
  zones: readonly Option[];
}

const digestFields = defineForm<FieldFacts>()(
  {
    ...destinationFields('Where does it go?', SHOW_FIELDS_ACTION),
    /** `organization`, `people`, or the id of a user group. */
    audience: selectField(({ canShowPeople, teams, aboutTeam }) => ({
      actionId: SHOW_FIELDS_ACTION,
      label: 'Whose figures?',
      options: [
        { value: 'organization', text: 'The whole organization' },
        ...(canShowPeople ? [{ value: 'people', text: 'People I choose' }] : []),
        ...teamOptions(teams, MAX_TEAMS),
      ],
      hint: teams.length > MAX_TEAMS ? `The first ${MAX_TEAMS} teams are listed here.` : undefined,
      below: aboutTeam === undefined ? [] : [context(markup`⚠️ ${aboutTeam}`)],
    })),
    people: usersField(() => ({ label: 'People', isOptional: true })),
    // A menu, because this many checkboxes would fill the screen of a phone.
    sections: multiSelectField(({ sections }) => ({
      label: 'What is in it?',
      options: sections.map(({ id, title, description }) => ({ value: id, text: title, description })),
      below: namesNote(sections),
    })),
    rhythm: selectField(() => ({ label: 'How often?', options: RHYTHMS, actionId: SHOW_FIELDS_ACTION })),
    weekday: selectField(() => ({ label: 'On which weekday?', options: WEEKDAYS })),
    monthDay: selectField(() => ({ label: 'On which day of the month?', options: MONTH_DAYS })),
    at: timeField(({ daysHint }) => ({ label: 'At what time?', hint: daysHint })),
    send: selectField(() => ({
      label: 'When is it sent?',
      hint: 'Weekly and monthly digests are always sent. After a week without one, a line says that all is well.',
      options: [
        { value: 'always', text: 'Always' },
        { value: 'when_needed', text: 'Only when something needs attention' },
      ],
    })),
    zone: selectField(({ zones }) => ({ label: 'Time zone', options: zones })),
  },
  {
    where: asksForWhere,
    channel: isForChannel,
    people: ({ canShowPeople }, { audience }) => canShowPeople && audience === 'people',
    weekday: (_facts, { rhythm }) => rhythm === 'weekly',
    monthDay: (_facts, { rhythm }) => rhythm === 'monthly',
    // A team has no usual amounts.
    send: (_facts, { audience }) => audience === 'organization',
  },
);
const RHYTHM_FIELDS = ['rhythm', 'weekday', 'monthDay', 'at'] as const;
const CONTENT_FIELDS = ['audience', 'people', 'sections', ...RHYTHM_FIELDS, 'send', 'zone'] as const;
const COMMON_FIELDS = ['where', 'channel', 'audience', 'people', ...RHYTHM_FIELDS] as const;
export type NewDigest = FormValues<typeof digestFields>;
export const { readDraft } = digestFields;

/** The initial values: this channel, the whole organization, every workday morning. */
export function firstDraft(facts: FormFacts, channel: string): NewDigest {
  return {
    ...destinationOf(channel),
    audience: 'organization',
    people: [],
    sections: facts.sections.filter(({ isDefault }) => isDefault).map(({ id }) => id),
    rhythm: 'weekdays',
    ...FIRST_DAYS,
    at: '09:00',
    send: 'always',
    zone: isTimeZone(facts.ownZone) ? facts.ownZone : 'UTC',
  };
}

export function draftOf(
  facts: FormFacts,
  { cadence, audience, sections, send }: DigestSettings,
  schedule: Schedule,
): NewDigest {
  return {
    where: 'channel',
    channel: undefined,
    audience: audience.kind === 'team' ? audience.id : audience.kind,
    people: audience.kind === 'people' ? audience.ids : [],
    sections: sections ?? facts.sections.filter(({ isDefault }) => isDefault).map(({ id }) => id),
    rhythm: cadence,
    ...FIRST_DAYS,
    ...('monthDay' in schedule ? { monthDay: String(schedule.monthDay) } : {}),
    ...(cadence === 'weekly' && 'days' in schedule ? { weekday: String(schedule.days[0] ?? 1) } : {}),
    at: schedule.at,
    send,
    zone: schedule.zone,
  };
}

/** The fixed destination of an existing digest, and the metadata of its form. */
export interface EditedDigest {
  place: Markup;
  metadata: string;
}

/** @param problem why the form is shown again @param edited undefined for a new digest */
export function formView(
  facts: FormFacts,
  draft: NewDigest,
  problem?: string | Markup,
  edited?: EditedDigest,
): ModalView {
  const why = problem === undefined ? [] : [section(markup`*${problem}*`)];
  const fieldFacts = {
    ...facts,
    daysHint: daysHint(draft, facts.now),
    zones: zoneOptions(facts.ownZone, draft.zone),
  };
  if (edited) {
    const where = context(markup`It goes to ${edited.place}. To send it elsewhere, set up a new digest.`);
    const blocks = [...why, where, ...digestFields.blocks(fieldFacts, draft, CONTENT_FIELDS)];
    return modal({ title: EDIT_TITLE, submit: 'Save', callbackId: EDIT_FORM, metadata: edited.metadata, blocks });
  }
  const blocks = [
    ...why,
    ...digestFields.blocks(fieldFacts, draft, facts.showsAllFields ? undefined : COMMON_FIELDS),
    ...(facts.showsAllFields ? [] : [moreOptions(SHOW_FIELDS_ACTION)]),
  ];
  return modal({ title: NEW_TITLE, submit: 'Create', callbackId: NEW_FORM, blocks });
}

/** Figures are by UTC day, so the hour and the zone determine which days a digest can cover. */
function daysHint(digest: NewDigest, now: Date): string {
  const { at, zone } = digest;
  const rhythm = readRhythm(digest);
  if (!rhythm || at === '' || !isTimeZone(zone)) return 'The hour and the time zone decide which UTC days it covers.';
  const covered = coveredWords(rhythm.cadence, scheduleOf(rhythm, at, zone), now);
  const end = utcDayEnd(zone, now);
  const isSame = rhythm.cadence === 'monthly' || end === '00:00';
  const other = isSame ? '' : ` UTC days end at ${end} there.`;
  return `At ${at} (${zone}), ${covered}.${other}`;
}

const RHYTHMS: readonly Option[] = [
  { value: 'weekdays', text: 'Monday to Friday' },
  { value: 'daily', text: 'Every day' },
  { value: 'weekly', text: 'Weekly' },
  { value: 'monthly', text: 'Monthly' },
];
const WEEKDAYS: readonly Option[] = WEEKDAY_NAMES.map((text, index) => ({ value: String(index + 1), text }));
const MONTH_DAYS: readonly Option[] = Array.from({ length: LAST_MONTH_DAY }, (_, index) => ({
  value: String(index + 1),
  text: `The ${ordinal(index + 1)}`,
}));
const FIRST_DAYS = { weekday: '1', monthDay: '1' };

function namesNote(sections: readonly DigestSection[]): Block[] {
  const titles = sections.filter(({ namesPeople }) => namesPeople).map(({ title }) => `“${title}”`);
  if (titles.length === 0) return [];
  const verb = titles.length === 1 ? 'shows' : 'show';
  return [context(markup`${titles.join(', ')} ${verb} single people’s figures to everybody who sees the digest.`)];
}

/** Fills in the fields that a form did not show. */
export function withHiddenFields(facts: FormFacts, digest: NewDigest): NewDigest {
  const { sections, zone, send, weekday, monthDay } = firstDraft(facts, '');
  return {
    ...digest,
    weekday: digest.weekday || weekday,
    monthDay: digest.monthDay || monthDay,
    sections: digest.sections.length > 0 ? digest.sections : sections,
    zone: digest.zone || zone,
    send: digest.send || send,
  };
}

/** Reads a submission, with an error for each wrong field. Fields that were not shown are empty. Pure. */
export function readForm(state: FormState, kind: 'new' | 'edit' = 'new'): { digest: NewDigest; errors: FormErrors } {
  const digest = digestFields.read(state);
  // The form of an existing digest has no field for its destination.
  return { digest, errors: errorsOf(rulesFor(digest).filter(([, field]) => kind === 'new' || field !== 'channel')) };
}

function rulesFor(digest: NewDigest): FormRule[] {
  const { audience, people, at, zone } = digest;
  return [
    destinationRule(digest),
    [audience === '', 'audience', 'Choose whose figures it holds.'],
    [audience === 'people' && people.length === 0, 'people', 'Choose at least one person.'],
    [
      people.length > MAX_PEOPLE,
      'people',
      `Choose at most ${MAX_PEOPLE} people; for more, create a user group in Slack.`,
    ],
    [readRhythm(digest) === undefined, 'rhythm', 'Choose how often it comes.'],
    [at === '', 'at', 'Choose a time of day.'],
    [zone !== '' && !isTimeZone(zone), 'zone', 'Choose a time zone.'],
  ];
}

/** A form that an earlier version showed has the day in its rhythm: `weekly:3`. */
export function readRhythm({
  rhythm,
  weekday = '',
  monthDay = '',
}: Pick<NewDigest, 'rhythm'> & Partial<Pick<NewDigest, 'weekday' | 'monthDay'>>): Rhythm | undefined {
  if (rhythm === 'daily' || rhythm === 'weekdays') return { cadence: rhythm };
  const [, cadence, earlier] = /^(weekly|monthly)(?::(\d{1,2}))?$/.exec(rhythm) ?? [];
  const day = Number(earlier ?? (cadence === 'weekly' ? weekday : monthDay));
  if (cadence === 'weekly' && day >= 1 && day <= 7) return { cadence, weekday: day };
  return cadence === 'monthly' && day >= 1 && day <= LAST_MONTH_DAY ? { cadence, monthDay: day } : undefined;
}
