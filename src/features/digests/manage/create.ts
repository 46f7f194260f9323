import { readOfferedTeams } from '../../../core/figures/groups/chosen-teams.ts';
import { formHandler, formReading } from '../../../core/slack/interactions/forms.ts';
import { destinationOf, joinDestination, finishButton } from '../../../core/slack/interactions/destination-form.ts';
import type { Click, Form, Interaction } from '../../../core/slack/interactions/interactions.ts';
import { type OpenModal, modal, type ModalView } from '../../../core/slack/blocks/views.ts';
import { nextOccurrence } from '../../../core/schedule/occurrences.ts';
import { createSubscription, type NewSubscription } from '../../../core/schedule/subscriptions.ts';
import { section } from '../../../core/slack/blocks/blocks.ts';
import type { Refusal } from '../../../core/slack/blocks/messages.ts';
import type { Team } from '../../../core/slack/people/directory.ts';
import { markup, type Markup, readerTime } from '../../../core/base/text/markup.ts';
import { labelOf, resolveAudience } from '../core/audience.ts';
import { takeShortId } from '../../../core/base/text/short-id.ts';
import {
  firstDraft,
  formView,
  NEW_FORM,
  NEW_TITLE,
  readDraft,
  readForm,
  withHiddenFields,
  readRhythm,
  type FormFacts,
  type NewDigest,
} from './digest-form.ts';
import { NO_WORDS, type DigestWords } from '../new-words.ts';
import { ACTIONS } from '../core/digest-buttons.ts';
import { coveredWords } from '../core/covered-words.ts';
import { digestIntroduction } from '../core/digest-messages.ts';
import type { DigestDeps } from '../core/digests-deps.ts';
import { describeSchedule, scheduleOf, type Audience, type DigestSettings } from '../core/settings.ts';
import { capital, placeMarkup } from '../core/describe.ts';
import { PEOPLE_DENIAL, showsPeople } from '../core/names.ts';
import { smallTeamWords } from '../../../core/figures/groups/small-teams.ts';
import type { Person } from '../../../core/slack/people/people.ts';

const ID_LENGTH = 4;

export async function readFacts(deps: DigestDeps, { person }: Pick<Interaction, 'person'>): Promise<FormFacts> {
  const sections = deps.sections;
  return {
    sections: person.seesPeople ? sections : sections.filter(({ namesPeople }) => !namesPeople),
    canShowPeople: person.seesPeople,
    teams: await readOfferedTeams(deps),
    ownZone: person.timeZone,
    now: deps.clock.now(),
  };
}

/** @param words what was typed after `/digest new`, or what a button of an answer carries */
export async function showNewForm(
  deps: DigestDeps,
  interaction: Interaction,
  opened: OpenModal,
  words: DigestWords = NO_WORDS,
): Promise<void> {
  const facts = await readFacts(deps, interaction);
  const { draft, problem } = draftFromWords(facts, firstDraft(facts, interaction.channel), words);
  const denial = problem === undefined ? undefined : (await interaction.refusal(problem)).text;
  const aboutTeam = await aboutSmallTeam(deps, facts, draft, interaction.person);
  // A short form has no field for what is in it, or whether it comes to oneself.
  const showsAllFields = words.sections.length > 0 || words.isForMe;
  await opened.show(formView({ ...facts, aboutTeam, showsAllFields }, draft, denial));
}

/** Fills in what the words name. What the person may not see, or what is gone, is left as it was, and said. Pure. */
function draftFromWords(
  facts: FormFacts,
  first: NewDigest,
  words: DigestWords,
): { draft: NewDigest; problem?: Refusal } {
  const { rhythm, weekday, at, group, channel, isForMe, people, sections } = words;
  const known = sections.filter((id) => facts.sections.some((section) => section.id === id));
  const draft: NewDigest = {
    ...first,
    ...(channel === undefined ? {} : destinationOf(channel)),
    ...(isForMe ? { where: 'me' as const, channel: undefined } : {}),
    ...(rhythm === undefined ? {} : { rhythm }),
    ...(weekday === undefined ? {} : { weekday }),
    ...(at === undefined ? {} : { at }),
    ...(known.length > 0 ? { sections: known } : {}),
  };
  const isDenied = known.length < sections.length || (people.length > 0 && !facts.canShowPeople);
  if (isDenied) return { draft, problem: PEOPLE_DENIAL };
  if (people.length > 0) return { draft: { ...draft, audience: 'people', people: [...people] } };
  if (group === undefined) return { draft };
  if (facts.teams.some(({ id }) => id === group)) return { draft: { ...draft, audience: group } };
  return { draft, problem: NO_SUCH_TEAM };
}

const NO_SUCH_TEAM = 'This team no longer exists in Slack. Choose another.';

/** The warning before a form is submitted that the chosen group is small. */
export async function aboutSmallTeam(
  deps: DigestDeps,
  { teams }: FormFacts,
  { audience }: NewDigest,
  person: Pick<Person, 'seesPeople'>,
): Promise<string | undefined> {
  const team = teams.find(({ id }) => id === audience);
  return team && smallTeamWords(deps, { label: `@${team.handle}`, emails: team.emails }, person);
}

/** *Finish setting up*: opens the form with the submitted values again, after the bot was invited. */
export async function showKeptForm(deps: DigestDeps, click: Click, opened: OpenModal): Promise<void> {
  await opened.show(formView({ ...(await readFacts(deps, click)), showsAllFields: true }, readDraft(click.value)));
}

export const newForm = (deps: DigestDeps): Form =>
  formHandler(NEW_FORM, 'manager', (state) => {
    const { digest, errors } = readForm(state);
    const submission = { typed: digest, showsAllFields: state.has('zone') };
    return formReading(errors, 'Setting it up …', (by, opened) => setUpDigest(deps, submission, by, opened));
  });

/** The bot joins the channel now, while the person is there and can invite it if necessary. */
async function setUpDigest(
  deps: DigestDeps,
  { typed, showsAllFields }: { typed: NewDigest; showsAllFields: boolean },
  interaction: Interaction,
  opened: OpenModal,
): Promise<void> {
  const facts = { ...(await readFacts(deps, interaction)), showsAllFields };
  const digest = withHiddenFields(facts, typed);
  const terms = await termsOf(deps, digest, interaction);
  const again = async (problem: string | Markup) => opened.show(formView(facts, digest, problem));
  if ('problem' in terms) return again(terms.problem);
  const smallTeamRefusal = await refusalOfSmallTeam(
    deps,
    terms.settings,
    digest.where === 'channel',
    interaction.person,
  );
  if (smallTeamRefusal !== undefined) return again(smallTeamRefusal);
  const finish = () => finishButton(ACTIONS.finish, digest);
  const destination = await joinDestination(deps.channels, digest, interaction, finish);
  if ('problem' in destination) return again(destination.problem);
  const subscription = { ...terms, kind: 'digest', channel: destination.channel, owner: interaction.person.slackId };
  const id = await create(deps, subscription);
  await opened.show(doneView(id, subscription, deps.clock.now()));
  await interaction.refreshHome();
}

export type Terms = Pick<NewSubscription, 'schedule'> & { settings: DigestSettings };

export async function termsOf(
  deps: DigestDeps,
  draft: NewDigest,
  { person, refusal }: Interaction,
): Promise<Terms | { problem: string | Markup }> {
  const audience = audienceOf(draft, await deps.people.teams());
  if (!audience) return { problem: NO_SUCH_TEAM };
  const sections = deps.sections.filter(({ id }) => draft.sections.includes(id));
  // The form does not offer this, but a submission can be forged.
  if (!person.seesPeople && showsPeople({ audience, sections }))
    return { problem: (await refusal(PEOPLE_DENIAL)).text };
  const rhythm = readRhythm(draft);
  if (!rhythm) return { problem: 'Choose how often it comes.' };
  const { cadence } = rhythm;
  const isOrganization = audience.kind === 'organization';
  const send = isOrganization && draft.send === 'when_needed' ? 'when_needed' : 'always';
  const settings: DigestSettings = { cadence, audience, sections: [...draft.sections], send };
  return { schedule: scheduleOf(rhythm, draft.at, draft.zone), settings };
}

function audienceOf({ audience, people }: NewDigest, teams: readonly Team[]): Audience | undefined {
  if (audience === 'organization') return { kind: 'organization' };
  if (audience === 'people') return { kind: 'people', ids: [...people] };
  const team = teams.find(({ id }) => id === audience);
  return team && { kind: 'team', id: team.id, handle: team.handle };
}

type DigestSubscription = Omit<NewSubscription, 'id'> & Terms;

async function create({ db, clock, random }: DigestDeps, digest: DigestSubscription): Promise<string> {
  const now = clock.now();
  return db.transaction().execute(async (trx) => {
    return takeShortId(random, ID_LENGTH, async (id) => {
      if (!(await createSubscription(trx, { ...digest, id }, now))) return undefined;
      const key = `digest-introduction:${id}`;
      await digestIntroduction.enqueue(trx, { key, to: digest.channel, payload: { subscriptionId: id } }, now);
      return id;
    });
  });
}

function doneView(id: string, digest: DigestSubscription, now: Date): ModalView {
  const first = nextOccurrence(digest.schedule, now).at;
  const lines = [
    markup`✅ *Done.* The first digest comes ${readerTime(first)}, to ${placeMarkup(digest.channel)}.`,
    markup`After that ${describeSchedule(digest.settings.cadence, digest.schedule)}, about ${labelOf(digest.settings.audience)}.`,
    markup`${capital(coveredWords(digest.settings.cadence, digest.schedule, now))}.`,
    markup`Its id is \`${id}\`: \`/digest preview ${id}\` shows you how it looks, \`/digest now ${id}\` sends one at once.`,
  ];
  return modal({ title: NEW_TITLE, blocks: [section(lines)] });
}

/** Refuses a digest that is all about a user group with few active people, and hidden from its readers. */
export async function refusalOfSmallTeam(
  deps: DigestDeps,
  { audience, sections }: Pick<DigestSettings, 'audience' | 'sections'>,
  isForChannel: boolean,
  person: Pick<Person, 'seesPeople'>,
): Promise<string | undefined> {
  if (audience.kind !== 'team') return undefined;
  const chosen = deps.sections.filter(({ id, isDefault }) => sections?.includes(id) ?? isDefault);
  const isSeen = isForChannel ? showsPeople({ audience, sections: chosen }) : person.seesPeople;
  if (isSeen || chosen.some(({ coversAudienceOnly }) => !coversAudienceOnly)) return undefined;
  const covered = await resolveAudience(deps.people, audience);
  if (covered.kind === 'gone' || covered.people === undefined) return undefined;
  return smallTeamWords(deps, { label: covered.label, emails: covered.people }, person);
}
